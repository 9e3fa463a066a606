#include "lights/emitter_power.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "core/sampling.h"
#include "materials/texture.h"

namespace warpath {

namespace {

constexpr double floor_share = 0.02;  // of the brightest texel
constexpr int points_per_side = 4;    // on the square that is mapped to the triangle

Vec3 largest_texel(const SceneView& scene, const TextureInfo& texture) {
    Vec3 largest{0.0f};
    for (uint32_t y = 0; y < texture.height; ++y)
        for (uint32_t x = 0; x < texture.width; ++x) {
            const Vec4 texel = fetch_texel(scene, texture, x, y);
            largest = {max_of(largest.x, texel.x), max_of(largest.y, texel.y), max_of(largest.z, texel.z)};
        }
    return largest;
}

}  // namespace

EmitterPower::EmitterPower(const SceneView& scene) : view_(scene) {
    std::map<uint32_t, Vec3> texels;  // a texture of many materials is searched once
    for (const Material& material : view_.materials) {
        Vec3 scale{1.0f};
        const uint32_t texture = material.emission_tex.texture;
        if (material.emits() && texture != invalid_id) {
            const auto found = texels.find(texture);
            scale = found != texels.end() ? found->second
                                          : (texels[texture] = largest_texel(view_, view_.textures[texture]));
        }
        brightest_.push_back(material.emits() ? material.emission * scale : Vec3(0.0f));
    }
}

double EmitterPower::area(uint32_t prim_id) const {
    const Triangle& triangle = view_.triangles[prim_id];
    const auto position = [&](int i) { return glm::dvec3(view_.vertices[triangle.vertex[i]].place.position); };
    const glm::dvec3 a = position(0), b = position(1), c = position(2);
    return 0.5 * glm::length(glm::cross(b - a, c - a));
}

double EmitterPower::mean_luminance(uint32_t prim_id) const {
    const Triangle& triangle = view_.triangles[prim_id];
    const Material& material = view_.materials[triangle.material_id];
    const Vec3 brightest = brightest_[triangle.material_id];
    const double bound = std::max<double>(luminance(brightest), 1e-30 * max_component(brightest));
    if (!(bound > 0.0) || (!material.emission_tex.valid() && material.alpha_mode == AlphaMode::Opaque)) return bound;
    double sum = 0.0;
    for (int j = 0; j < points_per_side; ++j)
        for (int i = 0; i < points_per_side; ++i) {
            const Vec2 b = sample_triangle({(i + 0.5f) / points_per_side, (j + 0.5f) / points_per_side});
            const SurfaceInputs at = surface_inputs(view_, triangle, b.x, b.y);
            const float value = luminance(resolve_emission(view_, material, at)) * resolve_alpha(view_, material, at);
            if (std::isfinite(value)) sum += value;
        }
    return (1.0 - floor_share) * sum / (points_per_side * points_per_side) + floor_share * bound;
}

float EmitterPower::largest_radiance() const {
    float largest = 0.0f;
    for (Vec3 radiance : brightest_) largest = std::max(largest, max_component(radiance));
    return largest;
}

}  // namespace warpath
