#pragma once

#include "core/columns.h"
#include "core/math.h"
#include "warpath/counters.h"

namespace warpath {

/// The film: exact sums, so that their order does not matter. Every value is rounded once to 64-bit fixed point, with a scale that
/// follows from the scene and the options alone, and added as an integer. Sums of several devices or runs merge exactly.
template <template <class> class Column>
struct FilmColumns {
    Column<uint64_t> radiance;       ///< 3 per pixel, two's complement, in units of 1 / radiance_scale
    Column<uint32_t> samples;        ///< finished samples per pixel
    Column<uint64_t> albedo, normal; ///< 3 per pixel, units of 1 / aov_scale; null unless asked for
    Column<uint64_t> depth;          ///< 1 per pixel, units of 1 / depth_scale; null unless asked for
    Column<uint64_t> cost;           ///< 1 per pixel, what CostKind says; null unless asked for
    Column<uint32_t> bad_pixels;     ///< first max_bad_pixels pixels with a NaN or infinite sample
    Column<uint32_t> num_bad;        ///< 1: how many bad samples there were

    template <class F, class... S>
    static void for_each_column(F&& f, S&... s) {
        f("film radiance", s.radiance...), f("film samples", s.samples...), f("film albedo", s.albedo...), f("film normal", s.normal...);
        f("film depth", s.depth...), f("film cost", s.cost...), f("film bad pixels", s.bad_pixels...), f("film bad count", s.num_bad...);
    }
};
inline constexpr uint32_t max_bad_pixels = 16;

/// What the film's layer of costs adds up over all rays of a path. Their sums over the film are the counters of the same names.
enum class CostKind : uint32_t {
    Steps,          ///< node steps and triangle tests
    NodeSteps,
    TriangleTests,
    Bounces,        ///< extension rays after the camera's
};

struct FilmConstants {
    float radiance_max = 1.0f;       ///< larger samples are clamped and counted
    double radiance_scale = 1.0;     ///< powers of two
    double aov_scale = 1.0, depth_scale = 1.0;
    float depth_max = 1.0f;
    uint32_t cost_node_steps = ~0u, cost_triangle_tests = ~0u, cost_bounces = 0;  ///< masks: what of a ray is a cost

    void count_as_cost(CostKind kind);
    WARPATH_HD uint32_t ray_cost(uint32_t node_steps, uint32_t triangle_tests, uint32_t bounces) const {
        return (node_steps & cost_node_steps) + (triangle_tests & cost_triangle_tests) + (bounces & cost_bounces);
    }
};

/// Adds a film of the same shape, exactly: what several devices rendered of one frame.
void add_film(FilmColumns<HostColumn>& sum, const FilmColumns<HostColumn>& film);

/// Films of fewer samples get the scale of so many, so that a film which grows sample by sample is, after n of them, the film of a render of n.
inline constexpr uint32_t film_sample_room = 65536;

/// Scales such that `spp` samples of at most radiance_max (or depth_max) cannot overflow 63 bits, nor film_sample_room of them.
FilmConstants film_constants(float max_radiance, float scene_extent, uint32_t spp);

/// The mean of a pixel's samples; 0 without any.
WARPATH_HD inline float film_mean(uint64_t sum, double scale, uint32_t num_samples) {
    return num_samples ? static_cast<float>(static_cast<double>(static_cast<int64_t>(sum)) / scale / num_samples) : 0.0f;
}

struct FilmView : FilmColumns<PointerColumn>, FilmConstants {
    WARPATH_HD static uint64_t to_fixed(float x, double scale) {
        return static_cast<uint64_t>(static_cast<int64_t>(floor(static_cast<double>(x) * scale + 0.5)));
    }
    template <class Ctx>
    WARPATH_HD static void add3(Ctx& ctx, uint64_t* sum, uint32_t pixel, Vec3 x, double scale) {
        WARPATH_ROLLED
        for (uint32_t i = 0; i < 3; ++i)
            ctx.add(sum + 3ull * pixel + i, to_fixed(i == 0 ? x.x : i == 1 ? x.y : x.z, scale));
    }

    /// Adds one finished sample. NaN and infinity are dropped (the sample still counts, as black) and reported.
    template <class Ctx>
    WARPATH_HD void add_sample(Ctx& ctx, uint32_t pixel, Vec3 x, uint32_t path_cost) const {
        if (!is_finite(x)) {
            const uint32_t n = ctx.add(num_bad, 1u);
            if (n < max_bad_pixels) bad_pixels[n] = pixel;
            ctx.count(Counter::BadSamples, 1);
            x = Vec3(0.0f);
        }
        if (max_component(x) > radiance_max || min_component(x) < -radiance_max) {
            ctx.count(Counter::ClampedSamples, 1);
            x = {clamp(x.x, -radiance_max, radiance_max), clamp(x.y, -radiance_max, radiance_max),
                 clamp(x.z, -radiance_max, radiance_max)};
        }
        add3(ctx, radiance, pixel, x, radiance_scale);
        ctx.add(samples + pixel, 1u);
        if (cost) ctx.add(cost + pixel, static_cast<uint64_t>(path_cost));
        ctx.count(Counter::FinishedPaths, 1);
    }
    /// Adds what the camera ray saw; called once per path, at the first hit. A miss counts as albedo 0, normal 0 and depth 0, and adds nothing.
    template <class Ctx>
    WARPATH_HD void add_first_hit(Ctx& ctx, uint32_t pixel, Vec3 first_albedo, Vec3 first_normal, float first_depth) const {
        if (albedo) add3(ctx, albedo, pixel, first_albedo, aov_scale);
        if (normal) add3(ctx, normal, pixel, first_normal, aov_scale);
        if (depth) ctx.add(depth + pixel, to_fixed(min_of(first_depth, depth_max), depth_scale));
    }
};

}  // namespace warpath
