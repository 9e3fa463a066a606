#include "materials/texture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace warpath::test {
namespace {

double srgb_to_linear(int byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

/// A scene that holds nothing but textures.
struct TextureScene {
    std::vector<TextureInfo> infos;
    std::vector<uint32_t> texels8;
    std::vector<Vec4> texels32;
    std::vector<float> srgb;

    TextureScene() {
        for (int i = 0; i < 256; ++i) srgb.push_back(static_cast<float>(srgb_to_linear(i)));
    }
    uint32_t add8(uint32_t width, uint32_t height, bool is_srgb, const std::vector<uint32_t>& texels) {
        infos.push_back({width, height, texels8.size(), 0, is_srgb, {}});
        texels8.insert(texels8.end(), texels.begin(), texels.end());
        return static_cast<uint32_t>(infos.size() - 1);
    }
    uint32_t add32(uint32_t width, uint32_t height, const std::vector<Vec4>& texels) {
        infos.push_back({width, height, texels32.size(), 1, 0, {}});
        texels32.insert(texels32.end(), texels.begin(), texels.end());
        return static_cast<uint32_t>(infos.size() - 1);
    }
    SceneView view() const {
        SceneView v;
        v.textures = {infos.data(), static_cast<uint32_t>(infos.size())};
        v.texels8 = {texels8.data(), static_cast<uint32_t>(texels8.size())};
        v.texels32 = {texels32.data(), static_cast<uint32_t>(texels32.size())};
        v.srgb_table = {srgb.data(), static_cast<uint32_t>(srgb.size())};
        return v;
    }
};

TextureRef use(uint32_t texture, WrapMode wrap = WrapMode::Repeat) {
    TextureRef ref;
    ref.texture = texture, ref.wrap_u = ref.wrap_v = wrap;
    return ref;
}

Vec4 look_up(const TextureScene& scene, const TextureRef& ref, Vec2 uv) {
    return sample_texture(scene.view(), ref, uv, Vec2(0.0f));
}

/// A row of 4 texels with red 0, 1, 2, 3 (a float texture).
TextureScene ramp() {
    TextureScene scene;
    scene.add32(4, 1, {Vec4(0.0f), Vec4(1.0f), Vec4(2.0f), Vec4(3.0f)});
    return scene;
}

/// Texel of an endless image at an integer position, from the definition of each mode.
int endless(int i, int size, WrapMode mode) {
    if (mode == WrapMode::Clamp) return std::min(std::max(i, 0), size - 1);
    const int period = mode == WrapMode::Repeat ? size : 2 * size;
    const int r = ((i % period) + period) % period;
    return r < size ? r : 2 * size - 1 - r;
}

/// Bilinear lookup of the endless image in double precision.
double reference(const std::vector<double>& texels, int width, int height, double u, double v, WrapMode mode) {
    const double x = u * width - 0.5, y = v * height - 0.5;
    const int i = static_cast<int>(std::floor(x)), j = static_cast<int>(std::floor(y));
    const auto at = [&](int a, int b) { return texels[endless(b, height, mode) * width + endless(a, width, mode)]; };
    const double s = x - i, t = y - j;
    return (1 - t) * ((1 - s) * at(i, j) + s * at(i + 1, j)) + t * ((1 - s) * at(i, j + 1) + s * at(i + 1, j + 1));
}

TEST(Texture, bilinear_lookup_equals_the_endless_image_in_every_wrap_mode) {
    const int width = 5, height = 3;
    std::vector<double> values;
    std::vector<Vec4> texels;
    for (int i = 0; i < width * height; ++i) {
        values.push_back((i * 7 % 15) / 15.0);
        texels.push_back(Vec4(static_cast<float>(values.back())));
    }
    TextureScene scene;
    scene.add32(1, 1, {Vec4(9.0f)});  // so that the offset of the next one counts
    const uint32_t texture = scene.add32(width, height, texels);
    for (const WrapMode mode : {WrapMode::Repeat, WrapMode::Clamp, WrapMode::Mirror})
        for (double u = -3.05; u < 3.0; u += 0.0371)
            for (double v = -2.03; v < 2.0; v += 0.0713)
                ASSERT_NEAR(look_up(scene, use(texture, mode), Vec2(u, v)).x,
                            reference(values, width, height, u, v, mode), 2e-5)
                    << "mode " << static_cast<int>(mode) << " at " << u << " " << v;
}

TEST(Texture, texel_centres_give_the_texel) {
    const TextureScene scene = ramp();
    for (const WrapMode mode : {WrapMode::Repeat, WrapMode::Clamp, WrapMode::Mirror})
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(look_up(scene, use(0, mode), {(i + 0.5f) / 4.0f, 0.5f}).x, static_cast<float>(i));
}

TEST(Texture, edges_blend_around_only_when_repeating) {
    const TextureScene scene = ramp();
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Repeat), {0.0f, 0.5f}).x, 1.5f);  // between texels 3 and 0
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Repeat), {1.0f, 0.5f}).x, 1.5f);
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Clamp), {0.0f, 0.5f}).x, 0.0f);
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Clamp), {1.0f, 0.5f}).x, 3.0f);
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Mirror), {0.0f, 0.5f}).x, 0.0f);
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Mirror), {1.0f, 0.5f}).x, 3.0f);
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Mirror), {1.125f, 0.5f}).x, 3.0f);
    EXPECT_EQ(look_up(scene, use(0, WrapMode::Mirror), {-0.375f, 0.5f}).x, 1.0f);
}

TEST(Texture, v_zero_is_the_first_row) {
    TextureScene scene;
    scene.add32(1, 2, {Vec4(1.0f), Vec4(5.0f)});
    EXPECT_EQ(look_up(scene, use(0), {0.5f, 0.25f}).x, 1.0f);
    EXPECT_EQ(look_up(scene, use(0), {0.5f, 0.75f}).x, 5.0f);
}

TEST(Texture, nearest_takes_the_texel_under_the_point) {
    const TextureScene scene = ramp();
    TextureRef ref = use(0);
    ref.nearest = true;
    for (const float u : {0.0f, 0.24f, 0.26f, 0.74f, 0.76f, 0.99f})
        EXPECT_EQ(look_up(scene, ref, {u, 0.5f}).x, std::floor(4.0f * u)) << u;
    EXPECT_EQ(look_up(scene, ref, {-0.01f, 0.5f}).x, 3.0f);
    EXPECT_EQ(look_up(scene, ref, {1.01f, 0.5f}).x, 0.0f);
    ref.wrap_u = WrapMode::Clamp;
    EXPECT_EQ(look_up(scene, ref, {1.0f, 0.5f}).x, 3.0f);
    EXPECT_EQ(look_up(scene, ref, {-4.0f, 0.5f}).x, 0.0f);
}

TEST(Texture, srgb_decodes_colour_and_leaves_alpha) {
    TextureScene scene;
    scene.add8(1, 1, true, {0x800040bcu});  // R 188, G 64, B 0, A 128
    scene.add8(1, 1, false, {0x800040bcu});
    const Vec4 decoded = look_up(scene, use(0), {0.3f, 0.3f});
    EXPECT_NEAR(decoded.x, 0.5029, 1e-4);
    EXPECT_NEAR(decoded.y, 0.0513, 1e-4);
    EXPECT_EQ(decoded.z, 0.0f);
    EXPECT_FLOAT_EQ(decoded.w, 128.0f / 255.0f);
    const Vec4 linear = look_up(scene, use(1), {0.3f, 0.3f});
    EXPECT_FLOAT_EQ(linear.x, 188.0f / 255.0f);
    EXPECT_FLOAT_EQ(linear.y, 64.0f / 255.0f);
    EXPECT_FLOAT_EQ(linear.w, 128.0f / 255.0f);
}

TEST(Texture, white_bytes_are_exactly_one) {
    TextureScene scene;
    scene.add8(2, 2, true, {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu});
    scene.add8(2, 2, false, {0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu});
    for (uint32_t texture : {0u, 1u})
        for (float u = -2.0f; u < 2.0f; u += 0.013f) EXPECT_EQ(look_up(scene, use(texture), {u, 1.7f * u}), Vec4(1.0f));
}

TEST(Texture, any_coordinate_is_safe) {
    const TextureScene scene = ramp();
    const float nan_value = std::numeric_limits<float>::quiet_NaN();
    for (const float bad : {nan_value, infinity, -infinity, 1e38f, -1e38f, 3e9f, -3e9f, 16777217.0f, -1e-10f, 1e-40f})
        for (const WrapMode mode : {WrapMode::Repeat, WrapMode::Clamp, WrapMode::Mirror})
            for (const bool nearest : {false, true}) {
                TextureRef ref = use(0, mode);
                ref.nearest = nearest;
                for (const Vec2 uv : {Vec2(bad, 0.5f), Vec2(0.5f, bad), Vec2(bad, bad)}) {
                    const float value = look_up(scene, ref, uv).x;
                    EXPECT_TRUE(value >= 0.0f && value <= 3.0f) << bad << ": " << value;
                }
                ref.m00 = bad, ref.m01 = bad, ref.offset = Vec2(bad);
                const float value = look_up(scene, ref, {2.0f, -2.0f}).x;
                EXPECT_TRUE(value >= 0.0f && value <= 3.0f) << bad << ": " << value;
            }
}

TEST(Texture, a_transform_scales_turns_and_shifts) {
    TextureScene scene;
    scene.add32(4, 4, [] {
        std::vector<Vec4> texels;
        for (int i = 0; i < 16; ++i) texels.push_back(Vec4(static_cast<float>(i)));
        return texels;
    }());
    TextureRef ref = use(0);
    ref.m00 = 0.0f, ref.m01 = -1.0f, ref.m10 = 1.0f, ref.m11 = 0.0f;  // (u, v) -> (-v, u)
    ref.offset = {1.0f, 0.25f};
    EXPECT_EQ(look_up(scene, ref, {0.125f, 0.375f}).x, 4.0f * 1 + 2);  // (0.625, 0.375): column 2, row 1
    ref = use(0);
    ref.m00 = 2.0f, ref.m11 = 3.0f;
    EXPECT_EQ(look_up(scene, ref, {0.4375f, 0.125f}).x, 4.0f * 1 + 3);  // (0.875, 0.375): column 3, row 1
}

TEST(Texture, the_uv_set_is_the_one_named) {
    const TextureScene scene = ramp();
    TextureRef ref = use(0);
    EXPECT_EQ(sample_texture(scene.view(), ref, {0.125f, 0.5f}, {0.875f, 0.5f}).x, 0.0f);
    ref.uv_set = 1;
    EXPECT_EQ(sample_texture(scene.view(), ref, {0.125f, 0.5f}, {0.875f, 0.5f}).x, 3.0f);
}

TEST(Texture, scalars_take_their_channel_and_may_be_inverted) {
    TextureScene scene;
    scene.add32(1, 1, {Vec4(0.125f, 0.25f, 0.5f, 0.75f)});
    TextureRef ref = use(0);
    const float expected[] = {0.125f, 0.25f, 0.5f, 0.75f};
    for (uint8_t channel = 0; channel < 4; ++channel) {
        ref.channel = channel, ref.invert = false;
        EXPECT_EQ(sample_scalar(scene.view(), ref, Vec2(0.0f), Vec2(0.0f)), expected[channel]);
        ref.invert = true;
        EXPECT_EQ(sample_scalar(scene.view(), ref, Vec2(0.0f), Vec2(0.0f)), 1.0f - expected[channel]);
    }
}

TEST(Texture, none_is_one) {
    TextureRef ref;
    ref.invert = true;
    EXPECT_EQ(sample_texture(SceneView{}, ref, Vec2(0.3f), Vec2(0.0f)), Vec4(1.0f));
    EXPECT_EQ(sample_scalar(SceneView{}, ref, Vec2(0.3f), Vec2(0.0f)), 1.0f);
}

}  // namespace
}  // namespace warpath::test
