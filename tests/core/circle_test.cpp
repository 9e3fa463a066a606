#include "core/circle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpath::test {
namespace {

TEST(Circle, equals_the_library_to_single_precision) {
    for (int i = -100000; i <= 100000; ++i) {
        const float u = static_cast<float>(i) * 1e-5f;
        const Vec2 p = unit_circle(u);
        ASSERT_NEAR(p.x, std::cos(2.0 * 3.14159265358979323846 * u), 1e-7) << u;
        ASSERT_NEAR(p.y, std::sin(2.0 * 3.14159265358979323846 * u), 1e-7) << u;
    }
}

TEST(Circle, quarters_are_exact) {
    EXPECT_EQ(unit_circle(0.0f), Vec2(1.0f, 0.0f));
    EXPECT_EQ(unit_circle(0.25f), Vec2(0.0f, 1.0f));
    EXPECT_EQ(unit_circle(0.5f), Vec2(-1.0f, 0.0f));
    EXPECT_EQ(unit_circle(-0.25f), Vec2(0.0f, -1.0f));
}

TEST(Circle, turns_equal_the_library_to_single_precision) {
    for (int i = -999; i <= 1000; ++i)
        for (const float length : {1e-30f, 1.0f, 3e30f}) {
            const double angle = 3.14159265358979323846 * i / 1000.0;
            const float x = static_cast<float>(length * std::cos(angle)),
                        y = static_cast<float>(length * std::sin(angle));
            const double expected = std::atan2(static_cast<double>(y), static_cast<double>(x)) / 6.28318530717958647692;
            const float turns = turns_of(y, x);
            ASSERT_NEAR(turns, expected, 6e-8) << "(" << x << ", " << y << ")";
            ASSERT_LE(std::abs(turns), 0.5f);
        }
}

TEST(Circle, small_angles_keep_their_digits) {
    for (float y = 1e-3f; y > 1e-30f; y *= 0.37f)
        EXPECT_NEAR(turns_of(y, 1.0f) / (std::atan(static_cast<double>(y)) / 6.28318530717958647692), 1.0, 2.5e-7) << y;
}

TEST(Circle, turns_along_the_axes_are_exact) {
    EXPECT_EQ(turns_of(0.0f, 0.0f), 0.0f);
    EXPECT_EQ(turns_of(0.0f, 2.0f), 0.0f);
    EXPECT_EQ(turns_of(2.0f, 0.0f), 0.25f);
    EXPECT_EQ(turns_of(-2.0f, 0.0f), -0.25f);
    EXPECT_EQ(turns_of(0.0f, -2.0f), 0.5f);
}

}  // namespace
}  // namespace warpath::test
