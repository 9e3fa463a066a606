#include <gtest/gtest.h>

#include <limits>

#include "bsdf_cases.h"

/// That no parameter and no direction in range, however extreme, makes a NaN or an infinity.
namespace warpath::test {
namespace {

const float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float last_uniform = 0.99999994f;

std::string describe(const Material& m, bool front, Vec3 wo) {
    return "metallic " + std::to_string(m.metallic) + " transmission " + std::to_string(m.transmission) +
           " roughness " + std::to_string(m.roughness) + " ior " + std::to_string(m.ior) + " specular " +
           std::to_string(m.specular) + " base " + std::to_string(m.base_color.x) + (m.thin_walled ? " thin" : "") +
           (front ? " front" : " back") + " wo.z " + std::to_string(wo.z);
}

/// Empty if all is well.
std::string fault_of(const BsdfSample& s) {
    if (!s.valid) return {};
    if (!is_finite(s.weight) || min_component(s.weight) < 0.0f) return "weight";
    if (max_component(s.weight) > 100.0f) return "weight too large";
    if (!is_finite(s.pdf) || s.pdf < 0.0f) return "pdf";
    if (!(std::abs(length(s.wi) - 1.0f) < 1e-4f)) return "length of wi";
    if (s.transmitted ? s.wi.z >= 0.0f : s.wi.z <= 0.0f) return "side of wi";
    return {};
}
std::string fault_of(const BsdfValue& v) {
    if (!is_finite(v.value) || min_component(v.value) < 0.0f) return "value";
    return is_finite(v.pdf) && v.pdf >= 0.0f ? "" : "pdf of value";
}

/// Tries one material from one side and direction; the first fault ends it.
std::string fault_of(const MaterialParams& p, Vec3 wo, Uniform& u) {
    for (const float a : {0.0f, 0.5f, last_uniform})
        for (const float b : {0.0f, 0.25f, last_uniform})
            for (const float c : {0.0f, 0.7f, last_uniform}) {
                const BsdfSample s = sample_bsdf(plain_scene(), p, wo, a, {b, c});
                const std::string fault = fault_of(s);
                if (!fault.empty()) return fault;
                if (s.valid && !fault_of(evaluate_bsdf(plain_scene(), p, wo, s.wi)).empty()) return "value of sample";
            }
    const Vec3 directions[] = {wo,
                               -wo,
                               {-wo.x, -wo.y, wo.z},
                               {0.0f, 0.0f, 1.0f},
                               {0.0f, 0.0f, -1.0f},
                               {1.0f, 0.0f, 0.0f},
                               {0.0f, 1.0f, 1e-30f},
                               {0.0f, 1.0f, -1e-30f},
                               direction(1e-6f, 2.0f),
                               direction(-1e-6f, 2.0f),
                               direction(2.0f * u.next() - 1.0f, 6.0f * u.next())};
    for (const Vec3 wi : directions) {
        const std::string fault = fault_of(evaluate_bsdf(plain_scene(), p, wo, wi));
        if (!fault.empty()) return fault;
    }
    return {};
}

std::vector<Material> extreme_materials() {
    std::vector<Material> materials;
    for (const float metallic : {0.0f, 0.5f, 1.0f})
        for (const float transmission : {0.0f, 0.5f, 1.0f})
            for (const float roughness : {0.0f, 0.031f, 0.032f, 0.3f, 1.0f})
                for (const float ior : {0.0f, 0.5f, 1.0f, 1.0000001f, 1.0005f, 1.5f, 1e30f})
                    for (const float specular : {0.0f, 1.0f})
                        for (const Vec3 base : {Vec3(0.0f), Vec3(1.0f), Vec3(1.0f, 0.0f, 0.5f)}) {
                            Material m = mixture(roughness, metallic, transmission);
                            m.ior = ior, m.specular = specular, m.base_color = base;
                            materials.push_back(m);
                        }
    return materials;
}

TEST(Robustness, extreme_parameters_and_directions_stay_finite) {
    Uniform u(71);
    int num_faults = 0;
    for (Material m : extreme_materials())
        for (const int variant : {0, 1, 2}) {
            m.thin_walled = variant == 2;
            const BsdfCase c{"", m, variant != 1};
            const MaterialKind kind = variant == 0 ? simplified_kind(m) : MaterialKind::Principled;
            for (const float cos_o : {1e-30f, 1e-7f, 1e-4f, 0.3f, 1.0f}) {
                const Vec3 wo = direction(cos_o, 0.7f);
                const std::string fault = fault_of(c.params_as(kind), wo, u);
                if (!fault.empty() && ++num_faults < 10)
                    ADD_FAILURE() << fault << ": " << describe(m, c.front_side, wo);
            }
        }
    EXPECT_EQ(num_faults, 0);
}

TEST(Robustness, parameters_out_of_range_are_brought_into_it) {
    for (const float bad : {nan_value, -3.0f, 7.0f, infinity, -infinity}) {
        Material m;
        m.base_color = Vec3(bad), m.metallic = bad, m.roughness = bad, m.specular = bad, m.transmission = bad;
        m.specular_color = Vec3(bad), m.ior = bad, m.emission = Vec3(bad), m.alpha = bad;
        m.alpha_mode = AlphaMode::Blend;
        const MaterialParams p = resolve_material(plain_scene(), m, {}, true);
        for (const float x : {p.base_color.x, p.metallic, p.specular, p.transmission, p.dielectric_f0.y, p.alpha,
                              resolve_alpha(plain_scene(), m, {})})
            EXPECT_TRUE(x >= 0.0f && x <= 1.0f) << "from " << bad << ": " << x;
        EXPECT_TRUE(p.eta >= 1.0f / max_ior && p.eta <= max_ior) << bad;
        EXPECT_GE(p.emission.x, 0.0f);
    }
}

TEST(Robustness, visible_normals_face_the_viewer) {
    Uniform u(73);
    for (const float alpha : {1e-3f, 0.1f, 1.0f})
        for (const float cos_o : {1e-30f, 1e-5f, 0.2f, 1.0f})
            for (int i = 0; i < 1000; ++i) {
                const Vec3 wo = direction(cos_o, 0.7f), h = sample_visible_normal(wo, alpha, u.next2());
                EXPECT_NEAR(length(h), 1.0f, 1e-5f);
                EXPECT_GT(h.z, 0.0f);
                EXPECT_GE(dot(wo, h), -1e-6f);
            }
}

}  // namespace
}  // namespace warpath::test
