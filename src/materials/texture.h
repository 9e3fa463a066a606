#pragma once

#include "core/math.h"
#include "scene/scene_data.h"

/// Texture lookups in software: the same arithmetic, and so the same bits for the same backend, in every stage.
namespace warpath {

/// Folds a coordinate into [0, 1]. Huge coordinates lose their fraction, as they have lost it already in single
/// precision; NaN and infinity become 0.
WARPATH_HD inline float wrap_coordinate(float x, WrapMode mode) {
    if (!is_finite(x)) return 0.0f;
    if (mode == WrapMode::Clamp) return saturate(x);
    if (mode == WrapMode::Repeat) return saturate(x - floorf(x));
    const float folded = x - 2.0f * floorf(0.5f * x);  // in [0, 2]
    return saturate(folded > 1.0f ? 2.0f - folded : folded);
}

/// Index of a texel at most one step outside [0, size). A mirrored image repeats its edge texel, so only Repeat wraps.
WARPATH_HD inline uint32_t wrap_index(int32_t i, uint32_t size, WrapMode mode) {
    const int32_t last = static_cast<int32_t>(size) - 1;
    if (mode == WrapMode::Repeat) return static_cast<uint32_t>(i < 0 ? last : i > last ? 0 : i);
    return static_cast<uint32_t>(i < 0 ? 0 : i > last ? last : i);
}

/// One texel as linear RGBA. Alpha is never sRGB-encoded.
WARPATH_HD inline Vec4 fetch_texel(const SceneView& scene, const TextureInfo& texture, uint32_t x, uint32_t y) {
    const uint64_t index = texture.offset + static_cast<uint64_t>(y) * texture.width + x;
    if (texture.is_float) return scene.texels32[index];
    const uint32_t word = scene.texels8[index];
    const uint32_t r = word & 0xffu, g = (word >> 8) & 0xffu, b = (word >> 16) & 0xffu, a = word >> 24;
    const float scale = 1.0f / 255.0f;
    if (texture.srgb)
        return {scene.srgb_table[r], scene.srgb_table[g], scene.srgb_table[b], static_cast<float>(a) * scale};
    return {static_cast<float>(r) * scale, static_cast<float>(g) * scale, static_cast<float>(b) * scale,
            static_cast<float>(a) * scale};
}

/// One axis of a bilinear footprint: two texels and the weight of the second.
struct TexelPair {
    uint32_t i0, i1;
    float weight;
};
WARPATH_HD inline TexelPair texel_pair(float coordinate, uint32_t size, WrapMode mode) {
    const float x = fmaf(coordinate, static_cast<float>(size), -0.5f);  // texel centres lie at integers
    const float below = floorf(x);
    const int32_t i = static_cast<int32_t>(below);
    return {wrap_index(i, size, mode), wrap_index(i + 1, size, mode), x - below};
}
WARPATH_HD inline uint32_t nearest_texel(float coordinate, uint32_t size, WrapMode mode) {
    return wrap_index(static_cast<int32_t>(floorf(coordinate * static_cast<float>(size))), size, mode);
}

WARPATH_HD inline Vec4 lerp(Vec4 a, Vec4 b, float t) {
    return {lerp(a.x, b.x, t), lerp(a.y, b.y, t), lerp(a.z, b.z, t), lerp(a.w, b.w, t)};
}

/// sample_texture for a ref that names a texture.
WARPATH_HD_CALL inline Vec4 filter_texture(const SceneView& scene, const TextureRef& ref, Vec2 uv0, Vec2 uv1) {
    const TextureInfo& texture = scene.textures[ref.texture];
    const Vec2 uv = ref.uv_set == 0 ? uv0 : uv1;
    const float u = wrap_coordinate(fmaf(ref.m00, uv.x, fmaf(ref.m01, uv.y, ref.offset.x)), ref.wrap_u);
    const float v = wrap_coordinate(fmaf(ref.m10, uv.x, fmaf(ref.m11, uv.y, ref.offset.y)), ref.wrap_v);
    if (ref.nearest)
        return fetch_texel(scene, texture, nearest_texel(u, texture.width, ref.wrap_u),
                           nearest_texel(v, texture.height, ref.wrap_v));
    const TexelPair x = texel_pair(u, texture.width, ref.wrap_u), y = texel_pair(v, texture.height, ref.wrap_v);
    const Vec4 top = lerp(fetch_texel(scene, texture, x.i0, y.i0), fetch_texel(scene, texture, x.i1, y.i0), x.weight);
    const Vec4 bottom =
        lerp(fetch_texel(scene, texture, x.i0, y.i1), fetch_texel(scene, texture, x.i1, y.i1), x.weight);
    return lerp(top, bottom, y.weight);
}

/// Looks a texture up as linear RGBA.
/// Shapes:  `ref` names a texture of the scene, or none: then the result is (1,1,1,1), since textures multiply factors.
/// Units:   uv in images, v = 0 is the upper edge; any float is allowed (see wrap_coordinate).
WARPATH_HD inline Vec4 sample_texture(const SceneView& scene, const TextureRef& ref, Vec2 uv0, Vec2 uv1) {
    return ref.valid() ? filter_texture(scene, ref, uv0, uv1) : Vec4(1.0f);
}

/// The channel of a texture that `ref` names, inverted if it says so; 1 without a texture.
WARPATH_HD inline float sample_scalar(const SceneView& scene, const TextureRef& ref, Vec2 uv0, Vec2 uv1) {
    if (!ref.valid()) return 1.0f;
    const Vec4 texel = sample_texture(scene, ref, uv0, uv1);
    const float value = ref.channel == 0 ? texel.x : ref.channel == 1 ? texel.y : ref.channel == 2 ? texel.z : texel.w;
    return ref.invert ? 1.0f - value : value;
}

}  // namespace warpath
