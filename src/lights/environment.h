#pragma once

#include "core/sampling.h"
#include "lights/alias_table.h"
#include "lights/light_sample.h"

/// The environment: a constant sky, or a lat-long map looked up bilinearly (Environment in scene/scene.h gives its
/// orientation). Sampling picks a texel and then a direction uniformly in its solid angle, so that the density is
/// constant in each texel; the table spreads each texel's light over its neighbours (light_tables.cpp), and so the
/// density is positive wherever the bilinear lookup is. These functions leave out the probability of choosing this kind
/// of light; list.h multiplies it in.
namespace warpath {

/// Position on the map, both in [0, 1]: x from the left, y from the zenith.
WARPATH_HD inline Vec2 environment_uv(const SceneConstants& scene, Vec3 direction) {
    const float turns = fmaf(scene.env_rotation, -0.5f * inv_pi, 0.5f + turns_of(direction.x, -direction.z));
    const float across = ::sqrtf(direction.x * direction.x + direction.z * direction.z);
    return {saturate(turns - ::floorf(turns)), saturate(2.0f * turns_of(across, direction.y))};
}

/// Index of the texel that holds a position: the one whose density applies there.
WARPATH_HD inline uint32_t environment_texel(const SceneConstants& scene, Vec2 uv) {
    const uint32_t column = static_cast<uint32_t>(uv.x * static_cast<float>(scene.env_width));
    const uint32_t row = static_cast<uint32_t>(uv.y * static_cast<float>(scene.env_height));
    return (row < scene.env_height ? row : scene.env_height - 1) * scene.env_width +
           (column < scene.env_width ? column : scene.env_width - 1);
}

/// Bilinear lookup; wraps around the seam, and stays in the first and last row at the poles.
WARPATH_HD inline Vec3 environment_at(const SceneView& scene, Vec2 uv) {
    const int32_t width = static_cast<int32_t>(scene.env_width), height = static_cast<int32_t>(scene.env_height);
    const float x = uv.x * static_cast<float>(width) - 0.5f, y = uv.y * static_cast<float>(height) - 0.5f;
    const float left = ::floorf(x), top = ::floorf(y);
    const int32_t column = static_cast<int32_t>(left), row = static_cast<int32_t>(top);
    const int32_t column0 = column < 0 ? width - 1 : column, column1 = column + 1 < width ? column + 1 : 0;
    const int32_t row0 = row < 0 ? 0 : row, row1 = row + 1 < height ? row + 1 : height - 1;
    const Vec3* upper = scene.env_texels.data + static_cast<size_t>(row0) * width;
    const Vec3* lower = scene.env_texels.data + static_cast<size_t>(row1) * width;
    return lerp(lerp(upper[column0], upper[column1], x - left), lerp(lower[column0], lower[column1], x - left),
                y - top);
}

/// Radiance arriving from `direction` (unit); 0 without an environment.
WARPATH_HD inline Vec3 environment_radiance(const SceneView& scene, Vec3 direction) {
    if (scene.env_width == 0) return scene.env_color;
    return environment_at(scene, environment_uv(scene, direction));
}

/// Density per solid angle of sample_environment.
WARPATH_HD inline float environment_pdf(const SceneView& scene, Vec3 direction) {
    if (scene.env_width == 0) return 0.25f * inv_pi;
    return scene.env_pdf[environment_texel(scene, environment_uv(scene, direction))];
}

/// Uniform direction within texel (column, row). Half angles keep what a cosine near the poles would round away; rows
/// of the lower half are mirrored to profit from it too.
WARPATH_HD inline Vec3 sample_environment_texel(const SceneConstants& scene, uint32_t column, uint32_t row, Vec2 uv) {
    const bool lower = 2 * row >= scene.env_height;
    const float rows_from_pole = static_cast<float>(lower ? scene.env_height - 1 - row : row);
    const float half_row = 0.25f / static_cast<float>(scene.env_height);  // turns
    const float s0 = unit_circle(rows_from_pole * half_row).y, s1 = unit_circle((rows_from_pole + 1.0f) * half_row).y;
    const float h = lerp(s0 * s0, s1 * s1, uv.y);  // sin^2(theta / 2), theta from the nearer pole
    const float sin_theta = 2.0f * safe_sqrt(h * (1.0f - h)), cos_theta = 1.0f - 2.0f * h;
    const float turns = (static_cast<float>(column) + uv.x) / static_cast<float>(scene.env_width) - 0.5f;
    const float rotated = fmaf(scene.env_rotation, 0.5f * inv_pi, turns);
    const Vec2 around = unit_circle(rotated - ::floorf(rotated));
    return {sin_theta * around.y, lower ? -cos_theta : cos_theta, -sin_theta * around.x};
}

WARPATH_HD inline LightSample sample_environment(const SceneView& scene, const LightRandom& random) {
    LightSample sample;
    sample.distance = infinity;
    if (scene.env_width == 0) {
        sample.wi = sample_cone(random.uv, 2.0f);  // the whole sphere
        sample.radiance = scene.env_color;
        sample.pdf = 0.25f * inv_pi;
        return sample;
    }
    const uint32_t texel = sample_alias(scene.env_alias, random.index, random.kind);
    const uint32_t row = texel / scene.env_width;
    sample.wi = sample_environment_texel(scene, texel - row * scene.env_width, row, random.uv);
    sample.radiance = environment_radiance(scene, sample.wi);
    sample.pdf = scene.env_pdf[texel];
    return sample;
}

}  // namespace warpath
