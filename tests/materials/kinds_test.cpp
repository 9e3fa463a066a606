#include <gtest/gtest.h>

#include "bsdf_cases.h"

/// That the named materials are cases of the principled one.
namespace warpath::test {
namespace {

std::vector<BsdfCase> named_cases() {
    std::vector<BsdfCase> named;
    for (const BsdfCase& c : bsdf_cases({0.0f, 0.3f, 1.0f}))
        if (c.material.kind != MaterialKind::Principled) named.push_back(c);
    return named;
}

struct Moments {
    glm::dvec3 mean{0.0}, variance_of_mean{0.0};
};

/// Radiance under a sky that differs in every direction.
Moments radiance_under_sky(const MaterialParams& p, Vec3 wo, int num_samples, uint32_t seed) {
    Uniform u(seed);
    glm::dvec3 sum(0.0), squares(0.0);
    for (int i = 0; i < num_samples; ++i) {
        const float u_lobe = u.next();
        const BsdfSample s = sample_bsdf(plain_scene(), p, wo, u_lobe, u.next2());
        const double sky = 2.0 + 0.9 * s.wi.x - 0.5 * s.wi.y + s.wi.z * s.wi.z + 0.3 * s.wi.z;
        const glm::dvec3 radiance = s.valid ? glm::dvec3(s.weight) * sky : glm::dvec3(0.0);
        sum += radiance, squares += radiance * radiance;
    }
    const double n = num_samples;
    const glm::dvec3 mean = sum / n;
    return {mean, glm::max(squares / n - mean * mean, 0.0) / n};
}

TEST(Kinds, simplified_kind_picks_the_named_case) {
    EXPECT_EQ(simplified_kind(diffuse(Vec3(0.5f))), MaterialKind::Lambert);
    EXPECT_EQ(simplified_kind(plastic(Vec3(0.5f), 0.3f, 1.0f)), MaterialKind::Lambert);
    EXPECT_EQ(simplified_kind(plastic(Vec3(0.5f), 0.3f)), MaterialKind::Principled);
    EXPECT_EQ(simplified_kind(metal(Vec3(0.5f), 0.3f)), MaterialKind::Conductor);
    EXPECT_EQ(simplified_kind(glass(Vec3(0.5f), 0.3f)), MaterialKind::Dielectric);
    EXPECT_EQ(simplified_kind(thin_glass(Vec3(0.5f), 0.0f)), MaterialKind::Dielectric);
    EXPECT_EQ(simplified_kind(mixture(0.3f, 0.5f, 0.5f)), MaterialKind::Principled);
}

TEST(Kinds, a_texture_that_can_change_the_case_keeps_the_principled_material) {
    Material m = metal(Vec3(0.5f), 0.3f);
    m.metallic_tex.texture = 0;
    EXPECT_EQ(simplified_kind(m), MaterialKind::Principled);
    m = glass(Vec3(0.5f), 0.3f);
    m.transmission_tex.texture = 0;
    EXPECT_EQ(simplified_kind(m), MaterialKind::Principled);
    m = diffuse(Vec3(0.5f));
    m.metallic_tex.texture = 0;  // multiplies a factor of 0
    EXPECT_EQ(simplified_kind(m), MaterialKind::Lambert);
}

TEST(Kinds, named_case_renders_as_the_principled_material_in_the_mean) {
    const std::vector<BsdfCase> cases = named_cases();
    ASSERT_GE(cases.size(), 10u);
    for (const BsdfCase& c : cases)
        for (const float cos_o : {0.2f, 0.9f}) {
            const Vec3 wo = direction(cos_o, 0.5f);
            const Moments a = radiance_under_sky(c.params(), wo, 30000, 59);
            const Moments b = radiance_under_sky(c.params_as(MaterialKind::Principled), wo, 30000, 61);
            for (int i = 0; i < 3; ++i) {
                const double sigma = std::sqrt(a.variance_of_mean[i] + b.variance_of_mean[i]);
                EXPECT_NEAR(a.mean[i], b.mean[i], 4.5 * sigma + 1e-5) << c.name << " cos " << cos_o;
            }
        }
}

TEST(Kinds, named_case_has_the_value_and_density_of_the_principled_material) {
    Uniform u(67);
    for (const BsdfCase& c : named_cases())
        for (int i = 0; i < 500; ++i) {
            const Vec3 wo = direction(std::max(u.next(), 0.01f), 6.0f * u.next());
            const Vec3 wi = direction(2.0f * u.next() - 1.0f, 6.0f * u.next());
            const BsdfValue a = evaluate_bsdf(plain_scene(), c.params(), wo, wi);
            const BsdfValue b = evaluate_bsdf(plain_scene(), c.params_as(MaterialKind::Principled), wo, wi);
            for (int k = 0; k < 3; ++k)
                EXPECT_NEAR(a.value[k], b.value[k], 1e-5f * std::max(a.value[k], 1.0f)) << c.name;
            EXPECT_NEAR(a.pdf, b.pdf, 1e-5f * std::max(a.pdf, 1.0f)) << c.name;
        }
}

}  // namespace
}  // namespace warpath::test
