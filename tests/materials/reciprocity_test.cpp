#include <gtest/gtest.h>

#include "bsdf_cases.h"

/// f(wo, wi) n_o^2 = f(wi, wo) n_i^2 for radiance carried as L / n^2. Energy compensation scales by a factor of wo
/// alone, which is divided out here.
namespace warpath::test {
namespace {

Vec3 bsdf(const MaterialParams& p, Vec3 wo, Vec3 wi) {
    return eval_bsdf(plain_scene(), p, wo, wi) * (1.0f / std::abs(wi.z));
}

Lobes lobes(const MaterialParams& p, Vec3 wo) { return make_lobes(plain_scene(), p, wo); }

void expect_equal(Vec3 a, Vec3 b, float tolerance, const std::string& name) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance * std::max(std::max(a[i], b[i]), 1e-4f)) << name;
}

Vec3 random_direction(Uniform& u) { return direction(std::max(u.next(), 0.03f), 2.0f * pi * u.next()); }

TEST(Reciprocity, coated_and_bare_diffuse) {
    Uniform u(41);
    for (const float roughness : {0.0f, 0.2f, 0.6f, 1.0f})
        for (const Material& m :
             {diffuse(Vec3(0.5f)), plastic({0.9f, 0.5f, 0.1f}, roughness), mixture(roughness, 0.0f, 0.0f)})
            for (int i = 0; i < 300; ++i) {
                const MaterialParams p = BsdfCase{"", m}.params_as(MaterialKind::Principled);
                const Vec3 wo = random_direction(u), wi = random_direction(u);
                expect_equal(bsdf(p, wo, wi), bsdf(p, wi, wo), 1e-4f, "roughness " + std::to_string(roughness));
            }
}

TEST(Reciprocity, metal) {
    Uniform u(43);
    for (const float roughness : {0.2f, 0.6f, 1.0f})
        for (int i = 0; i < 300; ++i) {
            const MaterialParams p =
                BsdfCase{"", metal({0.9f, 0.5f, 0.1f}, roughness)}.params_as(MaterialKind::Conductor);
            const Vec3 wo = random_direction(u), wi = random_direction(u);
            const Vec3 there = bsdf(p, wo, wi) / lobes(p, wo).metal_scale();
            const Vec3 back = bsdf(p, wi, wo) / lobes(p, wi).metal_scale();
            expect_equal(there, back, 1e-4f, "roughness " + std::to_string(roughness));
        }
}

TEST(Reciprocity, through_rough_glass) {
    Uniform u(47);
    int num_pairs = 0;
    for (const float roughness : {0.3f, 0.6f, 1.0f})
        for (int i = 0; i < 1000; ++i) {
            const Material m = glass({0.9f, 0.5f, 0.1f}, roughness);
            const MaterialParams outside = BsdfCase{"", m, true}.params_as(MaterialKind::Dielectric);
            const MaterialParams inside = BsdfCase{"", m, false}.params_as(MaterialKind::Dielectric);
            const Vec3 wo = random_direction(u), below = random_direction(u);
            const Vec3 there = bsdf(outside, wo, flip_side(below)) / lobes(outside, wo).interface.glass_scale;
            const Vec3 back = bsdf(inside, below, flip_side(wo)) / lobes(inside, below).interface.glass_scale;
            // At grazing microfacets, what passes is the small difference of 1 and a rounded Fresnel term.
            expect_equal(there, back * (1.5f * 1.5f), length(there) < 1e-2f ? 1e-2f : 5e-4f,
                         "roughness " + std::to_string(roughness));
            num_pairs += there.x > 0.0f ? 1 : 0;
        }
    EXPECT_GT(num_pairs, 500);
}

TEST(Reciprocity, through_a_rough_thin_wall) {
    Uniform u(53);
    for (int i = 0; i < 300; ++i) {
        const MaterialParams p = BsdfCase{"", thin_glass({0.9f, 0.5f, 0.1f}, 0.5f)}.params_as(MaterialKind::Dielectric);
        const Vec3 wo = random_direction(u), below = random_direction(u);
        const Vec3 there = bsdf(p, wo, flip_side(below)) / lobes(p, wo).interface.glass_scale;
        const Vec3 back = bsdf(p, below, flip_side(wo)) / lobes(p, below).interface.glass_scale;
        expect_equal(there, back, 1e-4f, "thin wall");
    }
}

}  // namespace
}  // namespace warpath::test
