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

/// A lane of those that work on a film together.
struct FilmLane {
    uint32_t lane, group_size, group, num_groups;

    template <class Ctx>
    WARPATH_HD static FilmLane of(const Ctx& ctx) {
        return {ctx.lane(), ctx.group_size(), ctx.group(), ctx.num_groups()};
    }
    /// Calls f(i) for this lane's share of 0 .. n - 1. A group has runs of whole cache lines, so that groups do not write into the same ones.
    template <class F>
    WARPATH_HD void for_each(uint64_t n, const F& f) const {
        constexpr uint64_t run = 128;
        for (uint64_t first = group * run; first < n; first += num_groups * run) {
            const uint64_t end = first + run < n ? first + run : n;
            for (uint64_t i = first + lane; i < end; i += group_size) f(i);
        }
    }
};

/// All lanes of a kernel together write all pixels. A call that is given no context, so that kernels which mostly do other things keep theirs in
/// registers.
WARPATH_HD_CALL inline void develop_pixels(FilmLane lane, const FilmView& film, const DevelopSettings& settings) {
    lane.for_each(settings.num_pixels, [&](uint64_t pixel) { settings.out[pixel] = developed_word(film, settings, static_cast<uint32_t>(pixel)); });
}

/// All lanes of a kernel together empty a film.
WARPATH_HD_CALL inline void clear_film(FilmLane lane, const FilmView& film, uint32_t num_pixels) {
    uint64_t* const sums[] = {film.radiance, film.albedo, film.normal, film.depth, film.cost};
    const uint64_t sizes[] = {3ull * num_pixels, 3ull * num_pixels, 3ull * num_pixels, num_pixels, num_pixels};
    for (uint32_t column = 0; column < 5; ++column) {
        uint64_t* const sum = sums[column];
        if (sum) lane.for_each(sizes[column], [&](uint64_t i) { sum[i] = 0; });
    }
    lane.for_each(num_pixels, [&](uint64_t i) { film.samples[i] = 0; });
    lane.for_each(max_bad_pixels, [&](uint64_t i) { film.bad_pixels[i] = 0; });
    lane.for_each(1, [&](uint64_t) { *film.num_bad = 0; });
}

/// A kernel of its own, for when none stays on the device.
struct DevelopKernel {
    FilmView film;
    DevelopSettings settings;

    template <class Ctx>
    WARPATH_HD void operator()(Ctx& ctx) const {
        develop_pixels(FilmLane::of(ctx), film, settings);
    }
};

}  // namespace warpath
