#include <gtest/gtest.h>

#include "support/render_frames.h"

/// Prepared frames on the CPU.
namespace warpath::testing {
namespace {

TEST(frames, run_again_to_the_same_bits_and_counts) { expect_runs_to_repeat(small_frame("cpu")); }

TEST(frames, side_by_side_do_not_disturb_each_other) { expect_frames_to_stay_apart(small_frame("cpu")); }

TEST(frames, that_were_stopped_run_again_in_full) {
    RenderOptions options = small_frame("cpu");
    const LoadedScene scene = load_shipped_scene("cornell.json");
    PreparedFrame frame = Renderer(scene, options).prepare(options);
    const std::atomic<bool> stop{true};
    frame.run(&stop);
    frame.run();
    const RenderResult result = frame.result();
    EXPECT_FALSE(result.stopped);
    EXPECT_EQ(first_difference(render_quietly(scene, options).image, result.image), "");
}

TEST(frames, have_numbers_without_an_image_that_are_those_of_their_result) {
    const RenderOptions options = small_frame("cpu");
    PreparedFrame frame = Renderer(load_shipped_scene("cornell.json"), options).prepare(options);
    EXPECT_THROW(frame.numbers(), Error);
    frame.run();
    const RenderResult numbers = frame.numbers(), result = frame.result();
    EXPECT_TRUE(numbers.image.channels.empty());
    EXPECT_EQ(numbers.counters, result.counters);
    EXPECT_EQ(numbers.rays_by_bounce, result.rays_by_bounce);
    EXPECT_EQ(numbers.num_slots, result.num_slots);
    EXPECT_EQ(numbers.scheduler, result.scheduler);
}

TEST(frames, of_other_devices_or_without_a_run_are_refused) {
    RenderOptions options = small_frame("cpu");
    const Renderer renderer(load_shipped_scene("cornell.json"), options);
    PreparedFrame frame = renderer.prepare(options);
    EXPECT_THROW(frame.result(), Error);
    options.num_threads = 7;
    EXPECT_THROW(renderer.prepare(options), Error);
}

TEST(frames, of_different_seeds_have_different_checksums) {
    RenderOptions options = small_frame("cpu");
    const Renderer renderer(load_shipped_scene("cornell.json"), options);
    PreparedFrame first = renderer.prepare(options);
    options.seed = 6;
    PreparedFrame second = renderer.prepare(options);
    first.run(), second.run();
    EXPECT_NE(first.film_checksum(), second.film_checksum());
}

}  // namespace
}  // namespace warpath::testing
