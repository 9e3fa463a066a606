#include "render/film.h"

#include <algorithm>
#include <cmath>

namespace warpath {

namespace {

/// Largest power of two such that `count` values of at most `largest` sum up below 2^62.
double power_of_two_scale(double largest, double count) {
    return std::exp2(std::floor(62.0 - std::log2(largest) - std::log2(count)));
}

template <class T>
void add_values(std::vector<T>& sum, const std::vector<T>& values) {
    for (size_t i = 0; i < values.size(); ++i) sum[i] += values[i];
}

}  // namespace

void add_film(FilmColumns<HostColumn>& sum, const FilmColumns<HostColumn>& film) {
    const uint32_t num_known = std::min(sum.num_bad.front(), max_bad_pixels);
    const uint32_t num_more = std::min(film.num_bad.front(), max_bad_pixels - num_known);
    std::copy_n(film.bad_pixels.begin(), num_more, sum.bad_pixels.begin() + num_known);
    add_values(sum.num_bad, film.num_bad);
    add_values(sum.radiance, film.radiance);
    add_values(sum.samples, film.samples);
    add_values(sum.albedo, film.albedo);
    add_values(sum.normal, film.normal);
    add_values(sum.depth, film.depth);
    add_values(sum.cost, film.cost);
}

void FilmConstants::count_as_cost(CostKind kind) {
    cost_node_steps = kind == CostKind::Steps || kind == CostKind::NodeSteps ? ~0u : 0;
    cost_triangle_tests = kind == CostKind::Steps || kind == CostKind::TriangleTests ? ~0u : 0;
    cost_bounces = kind == CostKind::Bounces ? ~0u : 0;
}

FilmConstants film_constants(float max_radiance, float scene_extent, uint32_t spp) {
    // A sample may exceed what any light emits: next-event estimation divides by small densities, Russian roulette by its survival
    // probability. 2^12 times the brightest emitter keeps 34 bits below it for 65,536 samples.
    constexpr double headroom = 4096.0;
    constexpr double aov_max = 2.0;
    const double largest = std::exp2(std::ceil(std::log2(std::max(1e-30, static_cast<double>(max_radiance)) * headroom)));
    const double extent = std::exp2(std::ceil(std::log2(std::max(1e-30, static_cast<double>(scene_extent)) * 16.0)));
    const double count = std::max(film_sample_room, spp);
    FilmConstants constants;
    constants.radiance_max = static_cast<float>(std::min(largest, 1e38));
    constants.radiance_scale = power_of_two_scale(constants.radiance_max, count);
    constants.aov_scale = power_of_two_scale(aov_max, count);
    constants.depth_max = static_cast<float>(std::min(extent, 1e38));
    constants.depth_scale = power_of_two_scale(constants.depth_max, count);
    return constants;
}

}  // namespace warpath
