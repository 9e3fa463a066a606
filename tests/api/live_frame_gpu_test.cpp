#include <gtest/gtest.h>

#include "support/live_frames.h"

/// Live frames on CUDA, with every scheduler, `resident` among them.
namespace warpath::testing {
namespace {

TEST(live_frame_gpu, keeps_its_picture_over_switches_of_the_scheduler) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_switches_to_keep_the_picture(small_frame("cuda"));
}
TEST(live_frame_gpu, that_is_edited_equals_a_scene_loaded_so) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_edits_to_equal_loading(small_frame("cuda"));
}
TEST(live_frame_gpu, whose_camera_moves_equals_a_scene_loaded_so) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_cameras_to_equal_loading(small_frame("cuda"));
}
TEST(live_frame_gpu, develops_the_bytes_of_a_png) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_develop_to_equal_png(small_frame("cuda"));
}
TEST(live_frame_gpu, keeps_the_cost_that_is_asked_for) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_costs_to_be_the_counters(small_frame("cuda"));
}
TEST(live_frame_gpu, restarts_where_the_picture_changes) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_restarts_where_the_picture_changes(small_frame("cuda"));
}
TEST(live_frame_gpu, that_was_dropped_begins_anew) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_drop_to_leave_a_frame_usable(small_frame("cuda"));
}
TEST(live_frame_gpu, that_was_stopped_goes_on) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_stop_to_leave_a_frame_usable(small_frame("cuda"));
}
TEST(live_frame_gpu, takes_turns_with_another) {
    WARPATH_SKIP_WITHOUT_GPU();
    expect_two_frames_to_take_turns(small_frame("cuda"));
}

TEST(live_frame_gpu, of_full_hd_keeps_its_picture) {
    WARPATH_SKIP_WITHOUT_GPU();
    RenderOptions options = small_frame("cuda");
    options.width = 1920, options.height = 1080, options.aovs = {};
    const Renderer renderer(load_shipped_scene("cornell.json"), options);
    LiveFrame frame = renderer.prepare_live(options);
    for (const SchedulerInfo& scheduler : schedulers_of("cuda")) {
        options.scheduler = scheduler.name;
        frame.set_options(options);
        frame.add_samples(1);
        const std::vector<uint8_t> picture = developed(frame, {});
        EXPECT_EQ(picture, png_bytes(frame.result().image, {})) << scheduler.name;
    }
    EXPECT_EQ(first_difference(rendered(renderer, options, frame.num_samples()), frame.result().image), "");
}

}  // namespace
}  // namespace warpath::testing
