#include <gtest/gtest.h>

#include <thread>

#include "support/render_frames.h"

/// Prepared frames on CUDA, and one device named twice.
namespace warpath::testing {
namespace {

/// Renders with `resident`, does something else while the kernel stays, and renders again.
template <class F>
void own_frame_of_a_resident_kernel(const LoadedScene& scene, RenderOptions options, const Image& reference, const F& meanwhile) {
    options.scheduler = "resident";
    const Renderer renderer(scene, options);
    PreparedFrame frame = renderer.prepare(options);
    frame.run();
    meanwhile();
    frame.run();
    EXPECT_EQ(first_difference(reference, frame.result().image), "");
}

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

/// Each frame is a task of its own in the groups' accounts, as a launch would be.
TEST(frames_gpu, of_a_kernel_that_stays_have_records_of_their_own) {
    WARPATH_SKIP_WITHOUT_GPU();
    RenderOptions options = small_frame("cuda");
    options.scheduler = "resident";
    PreparedFrame frame = Renderer(load_shipped_scene("cornell.json"), options).prepare(options);
    for (int run = 0; run < 3; ++run) {
        frame.run();
        const RenderResult result = frame.result();
        ASSERT_FALSE(result.record.groups.empty());
        uint64_t busy = 0;
        for (const GroupTimes& group : result.record.groups) {
            EXPECT_EQ(group.num_runs, 1u);
            EXPECT_LE(group.first_work_ns, group.last_work_ns);
            EXPECT_LE(group.busy_ns + group.idle_ns, result.record.span_ns);
            busy += group.busy_ns;
        }
        EXPECT_GT(busy, 0u);
        EXPECT_EQ(result.record.busy.back().num_busy, 0u) << "whoever became busy has stopped";
        EXPECT_LE(result.record.span_ns, result.record.frame_ns + 100'000) << "clocks of host and device differ a little";
    }
}

/// A kernel that stays belongs to one renderer and leaves when another one needs the device, also when a thread of its own uses that.
TEST(renderers_gpu, of_one_device_take_turns_beside_a_kernel_that_stays) {
    WARPATH_SKIP_WITHOUT_GPU();
    const LoadedScene scene = load_shipped_scene("cornell.json");
    RenderOptions options = small_frame("cuda");
    const Image reference = render_quietly(scene, options).image;
    const auto work = [&](const char* first, const char* second) {
        for (int round = 0; round < 6; ++round) {
            RenderOptions own = options;
            own.scheduler = round % 2 ? first : second;
            EXPECT_EQ(first_difference(reference, render_quietly(scene, own).image), "") << own.scheduler;
        }
    };
    own_frame_of_a_resident_kernel(scene, options, reference, [&] {
        work("persistent", "launch");
        std::thread other([&] { work("resident", "graph"); });
        work("hybrid", "resident");
        other.join();
    });
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
