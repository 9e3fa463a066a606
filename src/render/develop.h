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
    uint64_t rank, num_lanes;

    template <class Ctx>
    WARPATH_HD static FilmLane of(const Ctx& ctx) {
        const uint64_t lanes_per_group = ctx.group_size();
        return {ctx.group() * lanes_per_group + ctx.lane(), ctx.num_groups() * lanes_per_group};
    }
};

/// All lanes of a kernel together write all pixels. A call that is given no context, so that kernels which mostly do other things keep theirs in
/// registers.
WARPATH_HD_CALL inline void develop_pixels(FilmLane lane, const FilmView& film, const DevelopSettings& settings) {
    for (uint64_t pixel = lane.rank; pixel < settings.num_pixels; pixel += lane.num_lanes)
        settings.out[pixel] = developed_word(film, settings, static_cast<uint32_t>(pixel));
}

/// All lanes of a kernel together empty a film.
WARPATH_HD_CALL inline void clear_film(FilmLane lane, const FilmView& film, uint32_t num_pixels) {
    const uint64_t rank = lane.rank, num_lanes = lane.num_lanes;
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
        develop_pixels(FilmLane::of(ctx), film, settings);
    }
};

}  // namespace warpath
