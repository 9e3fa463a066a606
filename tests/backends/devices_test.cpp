#include <gtest/gtest.h>

#include "support/render_frames.h"

/// Several devices on one frame. On the CPU, a device named twice is two thread pools.
namespace warpath::testing {
namespace {

RenderOptions two_thread_frame() {
    RenderOptions options = small_frame("cpu");
    options.num_threads = 2;
    return options;
}

TEST(devices, one_named_twice_gives_the_bits_of_one) { expect_devices_to_share_a_frame(two_thread_frame()); }

TEST(devices, any_number_gives_the_same_bits) {
    const LoadedScene scene = load_shipped_scene("veach_mis.json");
    RenderOptions options = two_thread_frame();
    const RenderResult reference = render_quietly(scene, options);
    for (size_t n : {1u, 3u, 7u}) {
        options.devices.assign(n, 0);
        const RenderResult result = render_quietly(scene, options);
        EXPECT_EQ(first_difference(reference.image, result.image), "") << n;
        expect_same_work(reference.counters, result.counters, std::to_string(n) + " devices");
    }
}

TEST(devices, stop_together_and_finish_what_they_started) {
    RenderOptions options = two_thread_frame();
    options.devices = {0, 0};
    options.spp = 100000;
    expect_stop_to_finish_paths(options);
}

TEST(devices, take_as_much_memory_as_planned) {
    RenderOptions options = two_thread_frame();
    options.devices = {0, 0, 0};
    expect_plan_near_allocations(options);
}

TEST(devices, that_are_unknown_are_named) {
    RenderOptions options = two_thread_frame();
    options.devices = {0, 4};
    try {
        render_quietly(load_shipped_scene("cornell.json"), options);
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("device 4"), std::string::npos);
    }
}

}  // namespace
}  // namespace warpath::testing
