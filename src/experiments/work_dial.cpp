#include "experiments/work_dial.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "core/random.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

/// Uniform in (0, 1), from a path's bits and which of its numbers it is.
double unit(const WorkDial& dial, uint64_t path, uint64_t which) {
    return (static_cast<double>(hash_pair(hash_pair(dial.seed, path), which) >> 11) + 0.5) * 0x1p-53;
}

/// Source:  Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
double normal(const WorkDial& dial, uint64_t path) {
    constexpr double two_pi = 6.283185307179586;
    return std::sqrt(-2 * std::log(unit(dial, path, 0))) * std::cos(two_pi * unit(dial, path, 1));
}

/// Light and heavy paths with mean 1.
double two_levels(double heavy_share, bool heavy) {
    const double light = 1 / (1 - heavy_share + heavy_share * WorkDial::heavy_factor);
    return heavy ? light * WorkDial::heavy_factor : light;
}

bool in_corner(const WorkDial& dial, uint64_t path) {
    const uint64_t width = static_cast<uint64_t>(std::ceil(std::sqrt(static_cast<double>(dial.num_paths))));
    const double side = std::sqrt(dial.amount) * static_cast<double>(width);
    return static_cast<double>(path % width) < side && static_cast<double>(path / width) < side;
}

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::BadOption, what); }

void check(const WorkDial& dial) {
    if (dial.num_paths == 0 || dial.rays_per_path == 0 || dial.num_paths * dial.rays_per_path >= 1ull << 32)
        refuse("synthetic work needs between 1 and 2^32 - 1 rays");
    if (!(dial.mean_steps > 0) || dial.mean_steps * WorkDial::most > max_ray_steps) refuse("synthetic work needs a mean between 0 and 13421 steps a path");
    const double a = dial.amount;
    if (dial.spread == Spread::LogNormal && !(a >= 0 && a <= 4)) refuse("log-normal work needs a sigma between 0 and 4");
    if (dial.spread == Spread::Pareto && !(a > 1)) refuse("Pareto work needs an exponent above 1, or it has no mean");
    if ((dial.spread == Spread::Bimodal || dial.spread == Spread::Clustered) && !(a >= 0 && a <= 1)) refuse("the share of heavy paths lies between 0 and 1");
}

/// Steps of a path: rounded up or down at random, so that the mean stays.
uint32_t draw_steps(const WorkDial& dial, uint64_t path) {
    const double steps = std::floor(draw_cost(dial, path) * dial.mean_steps + unit(dial, path, 2));
    return std::max(dial.rays_per_path, static_cast<uint32_t>(steps));
}

}  // namespace

std::string WorkDial::name() const {
    static constexpr const char* spreads[] = {"constant", "log-normal", "bimodal", "pareto", "clustered"};
    static constexpr const char* orders[] = {"", ", ascending", ", longest first"};
    char text[64];
    if (spread == Spread::Constant)
        std::snprintf(text, sizeof text, "constant%s", orders[static_cast<int>(order)]);
    else
        std::snprintf(text, sizeof text, "%s %g%s", spreads[static_cast<int>(spread)], amount, orders[static_cast<int>(order)]);
    return text;
}

double draw_cost(const WorkDial& dial, uint64_t path) {
    const double a = dial.amount;
    double cost = 1;
    switch (dial.spread) {
        case Spread::Constant: break;
        case Spread::LogNormal: cost = std::exp(a * normal(dial, path) - a * a / 2); break;
        case Spread::Bimodal: cost = two_levels(a, unit(dial, path, 0) < a); break;
        case Spread::Pareto: cost = (a - 1) / a * std::pow(unit(dial, path, 0), -1 / a); break;
        case Spread::Clustered: cost = two_levels(a, in_corner(dial, path)); break;
    }
    return std::min(cost, WorkDial::most);
}

CostStream make_stream(const WorkDial& dial) {
    check(dial);
    std::vector<uint32_t> steps(dial.num_paths);
    for (uint64_t path = 0; path < dial.num_paths; ++path) steps[path] = draw_steps(dial, path);
    if (dial.order == WorkOrder::Ascending) std::sort(steps.begin(), steps.end());
    if (dial.order == WorkOrder::LongestFirst) std::sort(steps.begin(), steps.end(), std::greater<>());
    CostStream stream;
    stream.first_ray.resize(dial.num_paths + 1);
    stream.rays.reserve(dial.num_paths * dial.rays_per_path);
    for (uint64_t path = 0; path < dial.num_paths; ++path) {
        const uint32_t n = dial.rays_per_path, share = steps[path] / n, left = steps[path] % n;
        for (uint32_t i = 0; i < n; ++i) stream.rays.push_back(pack_ray(false, 0, share + (i < left ? 1 : 0)));
        stream.first_ray[path + 1] = static_cast<uint32_t>(stream.rays.size());
    }
    return stream;
}

std::vector<WorkDial> standard_dials(uint64_t num_paths, double mean_steps) {
    std::vector<WorkDial> dials;
    const auto add = [&](Spread spread, double amount, WorkOrder order = WorkOrder::AsDrawn) {
        WorkDial dial;
        dial.spread = spread, dial.amount = amount, dial.order = order, dial.num_paths = num_paths, dial.mean_steps = mean_steps;
        dials.push_back(dial);
    };
    add(Spread::Constant, 0);
    for (const double sigma : {0.5, 1.0, 1.5, 2.0}) add(Spread::LogNormal, sigma);
    for (const double share : {0.001, 0.01, 0.1}) add(Spread::Bimodal, share);
    for (const double exponent : {3.0, 1.5}) add(Spread::Pareto, exponent);
    for (const double share : {0.01, 0.1}) add(Spread::Clustered, share);
    for (const WorkOrder order : {WorkOrder::Ascending, WorkOrder::LongestFirst}) add(Spread::LogNormal, 1.5, order);
    return dials;
}

}  // namespace warpath::experiments
