#include "viewer/dynamic_resolution.h"

#include <gtest/gtest.h>

namespace warpath::viewer {
namespace {

/// Plays frames whose time is in proportion to their pixels.
float settle(DynamicResolution& resolution, double full_ms, double budget_ms) {
    for (int i = 0; i < 50; ++i) resolution.add(full_ms * resolution.scale() * resolution.scale(), budget_ms);
    return resolution.scale();
}

TEST(DynamicResolution, a_frame_that_fits_stays_at_full_size) {
    DynamicResolution resolution;
    EXPECT_EQ(settle(resolution, 20, 33), 1);
}

TEST(DynamicResolution, goes_down_at_once_as_far_as_it_takes) {
    DynamicResolution resolution;
    resolution.add(500, 33);
    EXPECT_EQ(resolution.scale(), 0.25f);
}

TEST(DynamicResolution, settles_without_swinging) {
    for (const double full_ms : {10., 34., 60., 130., 400., 2500.}) {
        DynamicResolution resolution;
        const float scale = settle(resolution, full_ms, 33);
        resolution.add(full_ms * scale * scale, 33);
        EXPECT_EQ(resolution.scale(), scale) << full_ms;
        if (scale > DynamicResolution::scales.back()) {
            EXPECT_LE(full_ms * scale * scale, 33) << full_ms;
        }
    }
}

TEST(DynamicResolution, comes_back_up_where_there_is_time) {
    DynamicResolution resolution;
    resolution.add(5000, 33);
    EXPECT_EQ(resolution.scale(), DynamicResolution::scales.back());
    EXPECT_EQ(settle(resolution, 5, 33), 1);
}

TEST(DynamicResolution, begins_where_passes_fitted_before) {
    DynamicResolution resolution;
    resolution.begin(20, 12);
    EXPECT_EQ(resolution.scale(), 0.75f) << "by pixels: 11.3 ms";
    resolution.add(16, 12);  // a pass has a tail, however few its pixels
    EXPECT_EQ(resolution.scale(), 0.5f) << "by pixels, from what the last one took: 7.1 ms";
    resolution.add(11, 12);
    EXPECT_EQ(resolution.scale(), 0.5f);
    resolution.begin(20, 12);
    EXPECT_EQ(resolution.scale(), 0.5f) << "that 0.75 is too slow was seen";
    resolution.begin(30, 12);
    EXPECT_EQ(resolution.scale(), 0.35f) << "at half size a pass took 0.55 of one at full size";
    resolution.begin(10, 12);
    EXPECT_EQ(resolution.scale(), 1.0f);
    resolution.begin(0, 12);
    EXPECT_EQ(resolution.scale(), 1.0f) << "nobody knows how long a pass takes";
}

TEST(DynamicResolution, no_film_is_empty) {
    EXPECT_EQ(scaled(1, 0.125f), 1u);
    EXPECT_EQ(scaled(1920, 0.5f), 960u);
}

}  // namespace
}  // namespace warpath::viewer
