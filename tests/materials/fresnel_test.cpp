#include "materials/fresnel.h"

#include <gtest/gtest.h>

#include "bsdf_cases.h"

namespace warpath::test {
namespace {

/// Textbook form in double precision, from the angles (Hecht, Optics, eq. 4.34 and 4.40).
double reference_reflectance(double cos_i, double n) {
    const double sin_t = std::sqrt(1.0 - cos_i * cos_i) / n;
    if (sin_t >= 1.0) return 1.0;
    const double i = std::acos(cos_i), t = std::asin(sin_t);
    const double s = (cos_i - n * std::cos(t)) / (cos_i + n * std::cos(t));
    const double p = i == 0.0 ? s : std::tan(i - t) / std::tan(i + t);
    return 0.5 * (s * s + p * p);
}

TEST(Fresnel, equals_the_textbook) {
    for (const float eta : {0.4f, 1.0f / 1.5f, 0.99f, 1.01f, 1.33f, 1.5f, 2.4f, 10.0f})
        for (float cos_i = 0.01f; cos_i <= 1.0f; cos_i += 0.01f)
            EXPECT_NEAR(fresnel_dielectric(cos_i, eta), reference_reflectance(cos_i, eta), 2e-5) << eta << " " << cos_i;
}

TEST(Fresnel, glass_reflects_4_percent_head_on_and_all_of_it_at_the_horizon) {
    EXPECT_FLOAT_EQ(fresnel_dielectric(1.0f, 1.5f), 0.04f);
    EXPECT_FLOAT_EQ(fresnel_dielectric(1.0f, 1.0f / 1.5f), 0.04f);
    EXPECT_EQ(fresnel_dielectric(0.0f, 1.5f), 1.0f);
    EXPECT_EQ(fresnel_dielectric(0.0f, 1.0f / 1.5f), 1.0f);
}

TEST(Fresnel, equal_indices_reflect_exactly_nothing) {
    for (float cos_i = 0.0f; cos_i <= 1.0f; cos_i += 0.001f) EXPECT_EQ(fresnel_dielectric(cos_i, 1.0f), 0.0f);
}

TEST(Fresnel, untinted_reflectance_is_the_exact_one) {
    for (const float eta : {0.7f, 1.0f, 1.5f, 5.0f})
        for (const float cos_i : {0.0f, 0.1f, 0.5f, 1.0f}) {
            const float exact = fresnel_dielectric(cos_i, eta);
            EXPECT_NEAR(tinted_fresnel(Vec3(fresnel_at_normal(eta)), exact, eta).x, exact, 1e-6f);
        }
}

/// Walks light through a slab of glass met head-on and returns the share that passes.
double slab_transmittance(const Material& material, int num_walks) {
    const MaterialParams outside = BsdfCase{"", material, true}.params_as(MaterialKind::Dielectric);
    const MaterialParams inside = BsdfCase{"", material, false}.params_as(MaterialKind::Dielectric);
    Uniform u(11);
    double passed = 0.0;
    for (int i = 0; i < num_walks; ++i) {
        BsdfSample s = sample_bsdf(plain_scene(), outside, {0.0f, 0.0f, 1.0f}, u.next(), u.next2());
        if (!s.transmitted) continue;
        double weight = s.weight.x;
        bool far_side = true;
        for (int bounce = 0; bounce < 64; ++bounce, far_side = !far_side) {
            s = sample_bsdf(plain_scene(), inside, {0.0f, 0.0f, 1.0f}, u.next(), u.next2());
            weight *= s.weight.x;
            if (s.transmitted) break;
        }
        if (far_side) passed += weight;
    }
    return passed / num_walks;
}

TEST(Fresnel, a_pane_passes_what_interreflections_sum_to) {
    const double r = 0.04;
    EXPECT_NEAR(slab_transmittance(glass(Vec3(1.0f), 0.0f), 200000), (1 - r) / (1 + r), 0.0025);  // 4 sigma
}

TEST(Fresnel, base_color_tints_each_crossing) {
    const double r = 0.04, a = 0.5;
    EXPECT_NEAR(slab_transmittance(glass(Vec3(0.5f), 0.0f), 200000), a * a * (1 - r) * (1 - r) / (1 - r * r), 0.002);
}

TEST(Refraction, obeys_snell_and_keeps_the_plane_of_incidence) {
    for (const bool front : {true, false})
        for (const float cos_o : {0.8f, 0.9f, 0.99f}) {
            const MaterialParams p = BsdfCase{"", glass(Vec3(1.0f), 0.0f), front}.params_as(MaterialKind::Dielectric);
            const Vec3 wo = direction(cos_o, 0.7f);
            const BsdfSample s = sample_bsdf(plain_scene(), p, wo, 0.999f, {0.5f, 0.5f});
            ASSERT_TRUE(s.valid && s.transmitted);
            const double sin_o = std::hypot(wo.x, wo.y), sin_i = std::hypot(s.wi.x, s.wi.y);
            EXPECT_NEAR(front ? sin_o : 1.5 * sin_o, front ? 1.5 * sin_i : sin_i, 1e-6);
            EXPECT_NEAR(wo.x * s.wi.y - wo.y * s.wi.x, 0.0, 1e-6);
            EXPECT_LT(wo.x * s.wi.x, 0.0f);
            EXPECT_LT(s.wi.z, 0.0f);
        }
}

TEST(Refraction, beyond_the_critical_angle_everything_is_reflected) {
    const MaterialParams p = BsdfCase{"", glass(Vec3(1.0f), 0.0f), false}.params_as(MaterialKind::Dielectric);
    Uniform u(13);
    for (int i = 0; i < 500; ++i) {
        const BsdfSample s =
            sample_bsdf(plain_scene(), p, direction(0.74f * u.next() + 1e-4f, 1.0f), u.next(), u.next2());
        ASSERT_TRUE(s.valid);
        EXPECT_FALSE(s.transmitted);
        EXPECT_EQ(s.weight, Vec3(1.0f));
    }
}

TEST(Refraction, without_a_step_light_goes_straight_on_at_any_roughness) {
    for (const float roughness : {0.0f, 0.5f, 1.0f}) {
        const MaterialParams p =
            BsdfCase{"", glass({0.2f, 0.5f, 1.0f}, roughness, 1.0f)}.params_as(MaterialKind::Dielectric);
        const Vec3 wo = direction(0.3f, 0.7f);
        const BsdfSample s = sample_bsdf(plain_scene(), p, wo, 0.0f, {0.5f, 0.5f});
        ASSERT_TRUE(s.valid && s.transmitted && s.delta);
        EXPECT_NEAR(length(s.wi + wo), 0.0f, 1e-6f);
        EXPECT_EQ(s.weight, Vec3(0.2f, 0.5f, 1.0f));
    }
}

TEST(ThinWall, passes_light_straight_on_with_one_fresnel_term) {
    const MaterialParams p = BsdfCase{"", thin_glass(Vec3(0.5f), 0.0f)}.params_as(MaterialKind::Dielectric);
    const Vec3 wo = direction(0.6f, 0.7f);
    Uniform u(17);
    double passed = 0.0, reflected = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const BsdfSample s = sample_bsdf(plain_scene(), p, wo, u.next(), u.next2());
        ASSERT_TRUE(s.valid && s.delta);
        EXPECT_NEAR(length(s.transmitted ? s.wi + wo : s.wi - Vec3(-wo.x, -wo.y, wo.z)), 0.0f, 1e-6f);
        (s.transmitted ? passed : reflected) += s.weight.x;
    }
    const double r = reference_reflectance(0.6, 1.5);
    EXPECT_NEAR(passed / 1e5, 0.5 * (1 - r), 0.002);
    EXPECT_NEAR(reflected / 1e5, r, 0.002);
}

}  // namespace
}  // namespace warpath::test
