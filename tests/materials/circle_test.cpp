#include "materials/circle.h"

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

}  // namespace
}  // namespace warpath::test
