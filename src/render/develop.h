#pragma once

#include "render/film.h"
#include "render/tone.h"

/// From the film to RGBA bytes that can be shown.
namespace warpath {

enum class DevelopLayer : uint32_t { Color, Albedo, Normal, Depth, Samples, Cost };

/// What to show, and where the bytes go. The same bytes on host and device.
struct DevelopSettings {
    DevelopLayer layer = DevelopLayer::Color;
    uint32_t filmic = 1;
    float exposure_scale = 1.0f;              ///< of radiance, before the curve
    float scale_min = 0.0f, scale_max = 1.0f; ///< ends of the colour scale
    uint32_t num_pixels = 0;
    uint32_t* out = nullptr;                  ///< num_pixels words, R in the lowest byte, alpha 255
    const float* srgb_steps = nullptr;        ///< num_srgb_steps; see tone.h
};

WARPATH_HD inline uint32_t rgba_word(uint32_t r, uint32_t g, uint32_t b) { return r | g << 8 | b << 16 | 0xff000000u; }

WARPATH_HD inline uint32_t scale_word(float value, const DevelopSettings& settings) {
    const Vec3 color = turbo(divide(value - settings.scale_min, settings.scale_max - settings.scale_min));
    return rgba_word(linear_byte(color.x), linear_byte(color.y), linear_byte(color.z));
}

/// One pixel's word. The layer must be in the film.
WARPATH_HD inline uint32_t developed_word(const FilmView& film, const DevelopSettings& settings, uint32_t pixel) {
    const uint32_t n = film.samples[pixel];
    if (settings.layer == DevelopLayer::Samples) return scale_word(static_cast<float>(n), settings);
    if (settings.layer == DevelopLayer::Depth) return scale_word(film_mean(film.depth[pixel], film.depth_scale, n), settings);
    if (settings.layer == DevelopLayer::Cost) return scale_word(film_mean(film.cost[pixel], 1.0, n), settings);

    const bool is_color = settings.layer == DevelopLayer::Color;
    const uint64_t* sums = (is_color ? film.radiance : settings.layer == DevelopLayer::Albedo ? film.albedo : film.normal) + 3ull * pixel;
    const double scale = is_color ? film.radiance_scale : film.aov_scale;
    uint32_t bytes[3];
    WARPATH_ROLLED
    for (uint32_t i = 0; i < 3; ++i) {
        const float mean = film_mean(sums[i], scale, n);
        if (settings.layer == DevelopLayer::Normal)
            bytes[i] = linear_byte(n ? 0.5f * mean + 0.5f : 0.0f);
        else
            bytes[i] = srgb_byte(is_color ? tone_mapped(mean, settings.exposure_scale, settings.filmic) : saturate(mean), settings.srgb_steps);
    }
    return rgba_word(bytes[0], bytes[1], bytes[2]);
}

/// All groups of a kernel together write all pixels. A call, so that kernels which mostly do other things keep their registers.
template <class Ctx>
WARPATH_HD_CALL void develop_pixels(const Ctx& ctx, const FilmView& film, const DevelopSettings& settings) {
    constexpr uint32_t run = 128;  // pixels in a row that one group writes: whole cache lines
    for (uint64_t first = static_cast<uint64_t>(ctx.group()) * run; first < settings.num_pixels; first += static_cast<uint64_t>(ctx.num_groups()) * run) {
        const uint64_t last = first + run < settings.num_pixels ? first + run : settings.num_pixels;
        for (uint64_t pixel = first + ctx.lane(); pixel < last; pixel += ctx.group_size())
            settings.out[pixel] = developed_word(film, settings, static_cast<uint32_t>(pixel));
    }
}

/// All groups of a kernel together empty a film.
template <class Ctx>
WARPATH_HD_CALL void clear_film(const Ctx& ctx, const FilmView& film, uint32_t num_pixels) {
    const uint64_t rank = static_cast<uint64_t>(ctx.group()) * ctx.group_size() + ctx.lane(), num_lanes = static_cast<uint64_t>(ctx.num_groups()) * ctx.group_size();
    uint64_t* const sums[] = {film.radiance, film.albedo, film.normal, film.depth, film.cost};
    const uint64_t sizes[] = {3ull * num_pixels, 3ull * num_pixels, 3ull * num_pixels, num_pixels, num_pixels};
    for (uint32_t column = 0; column < 5; ++column)
        if (sums[column])
            for (uint64_t i = rank; i < sizes[column]; i += num_lanes) sums[column][i] = 0;
    for (uint64_t i = rank; i < num_pixels; i += num_lanes) film.samples[i] = 0;
    if (rank < max_bad_pixels) film.bad_pixels[rank] = 0;
    if (rank == 0) *film.num_bad = 0;
}

/// A kernel of its own, for when none stays on the device.
struct DevelopKernel {
    FilmView film;
    DevelopSettings settings;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        develop_pixels(ctx, film, settings);
    }
};

}  // namespace warpath
