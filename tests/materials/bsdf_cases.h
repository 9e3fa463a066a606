#pragma once

#include <random>
#include <string>
#include <vector>

#include "materials/bsdf.h"
#include "materials/energy.h"

/// The materials that all bsdf tests walk.
namespace warpath::test {

/// A scene without textures, with the energy tables.
inline const SceneView& plain_scene() {
    static const std::vector<float> tables = make_energy_tables();
    static const SceneView scene = [] {
        SceneView view;
        view.energy_tables = {tables.data(), static_cast<uint32_t>(tables.size())};
        return view;
    }();
    return scene;
}

struct BsdfCase {
    std::string name;
    Material material;
    bool front_side = true;

    MaterialParams params() const { return resolve_material(plain_scene(), material, {}, front_side); }
    MaterialParams params_as(MaterialKind kind) const {
        MaterialParams p = params();
        p.kind = kind;
        return p;
    }
};

inline Material diffuse(Vec3 albedo) {
    Material m;
    m.base_color = albedo, m.specular = 0.0f;
    return m;
}
inline Material metal(Vec3 f0, float roughness) {
    Material m;
    m.base_color = f0, m.metallic = 1.0f, m.roughness = roughness;
    return m;
}
inline Material plastic(Vec3 albedo, float roughness, float ior = 1.5f) {
    Material m;
    m.base_color = albedo, m.roughness = roughness, m.ior = ior;
    return m;
}
inline Material glass(Vec3 tint, float roughness, float ior = 1.5f) {
    Material m;
    m.base_color = tint, m.transmission = 1.0f, m.roughness = roughness, m.ior = ior;
    return m;
}
inline Material thin_glass(Vec3 tint, float roughness) {
    Material m = glass(tint, roughness);
    m.thin_walled = true;
    return m;
}
/// Every lobe at once, nothing grey.
inline Material mixture(float roughness, float metallic, float transmission) {
    Material m;
    m.base_color = {0.9f, 0.5f, 0.2f}, m.roughness = roughness;
    m.metallic = metallic, m.transmission = transmission;
    m.specular = 0.8f, m.specular_color = {0.6f, 1.0f, 0.9f};
    return m;
}

inline std::vector<BsdfCase> bsdf_cases(const std::vector<float>& roughnesses) {
    const Vec3 tan{0.8f, 0.5f, 0.25f};
    std::vector<BsdfCase> cases{{"diffuse", diffuse(tan)}};
    for (const float r : roughnesses) {
        const std::string suffix = ", roughness " + std::to_string(r).substr(0, 4);
        cases.push_back({"metal" + suffix, metal(tan, r)});
        cases.push_back({"plastic" + suffix, plastic(tan, r)});
        cases.push_back({"glass from outside" + suffix, glass(tan, r)});
        cases.push_back({"glass from inside" + suffix, glass(tan, r), false});
        cases.push_back({"thin glass" + suffix, thin_glass(tan, r)});
        cases.push_back({"coloured coat" + suffix, mixture(r, 0.0f, 0.0f)});
        cases.push_back({"mixture from outside" + suffix, mixture(r, 0.3f, 0.6f)});
        cases.push_back({"mixture from inside" + suffix, mixture(r, 0.3f, 0.6f), false});
    }
    for (BsdfCase& c : cases) c.material.kind = simplified_kind(c.material);
    return cases;
}

/// Uniform numbers in [0, 1), the same on every platform.
class Uniform {
  public:
    explicit Uniform(uint32_t seed) : engine_(seed) {}
    float next() { return static_cast<float>(engine_() >> 8) * 0x1p-24f; }
    Vec2 next2() {
        const float x = next();
        return {x, next()};
    }

  private:
    std::mt19937 engine_;
};

inline Vec3 direction(float cos_theta, float phi) {
    const float s = std::sqrt(std::max(0.0f, 1.0f - cos_theta * cos_theta));
    return {s * std::cos(phi), s * std::sin(phi), cos_theta};
}

/// Calls f(wi, solid angle) for the midpoints of a grid over the sphere: `n` cosines by 2n angles.
template <class F>
void for_sphere(int n, F&& f) {
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2 * n; ++j) {
            const float z = -1.0f + 2.0f * (static_cast<float>(i) + 0.5f) / static_cast<float>(n);
            const float phi = pi * (static_cast<float>(j) + 0.5f) / static_cast<float>(n);
            f(direction(z, phi), 2.0 * pi / (static_cast<double>(n) * n));
        }
}

}  // namespace warpath::test
