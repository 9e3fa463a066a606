#include <gtest/gtest.h>

#include "support/render_frames.h"

/// Prepared frames on CUDA, and one device named twice.
namespace warpath::testing {
namespace {

TEST(frames_gpu, run_again_to_the_same_bits_and_counts) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_runs_to_repeat(small_frame("cuda"));
}

TEST(frames_gpu, with_small_pools_run_again_to_the_same_bits_and_counts) {
    WARPATH_SKIP_WITHOUT_GPU();
    RenderOptions options = small_frame("cuda");
    options.pool = 1000;
    expect_runs_to_repeat(options);
}

TEST(frames_gpu, side_by_side_do_not_disturb_each_other) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_frames_to_stay_apart(small_frame("cuda"));
}

TEST(devices_gpu, one_named_twice_gives_the_bits_of_one) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_devices_to_share_a_frame(small_frame("cuda"));
}

TEST(devices_gpu, share_a_frame_of_many_tiles) {
    WARPATH_SKIP_WITHOUT_GPU();
    RenderOptions options = small_frame("cuda");
    options.width = 1280, options.height = 720, options.spp = 9, options.aovs = {};
    expect_devices_to_share_a_frame(options);
}

}  // namespace
}  // namespace warpath::testing
