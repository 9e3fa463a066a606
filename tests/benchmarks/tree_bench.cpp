#include <sys/resource.h>

#include <cstdio>
#include <stdexcept>

#include "bench_scene.h"

/// What a tree costs to build and what rays cost in it.
/// Axes:  scene (file arguments or WARPATH_BENCH_SCENES; else generated waves), tree: NAME=KEY,KEY:VALUE,... of --tree,
/// which may be
///        repeated; without any, today's presets.
/// Keys:  fast, balanced, best (where to start from), growth, alpha, triangle (cost), rounds, links, single; --threads=N, --repeats=N,
/// --scale=WxH. Prints a Markdown row per scene and tree: medians of the wall and CPU time of building; SAH cost; node
/// steps and triangle tests per ray of three kinds, the same rays for every tree; and millions of rays per second of
/// one thread, the best of the repeats.
namespace warpath::bench {
namespace {

struct Tree {
    std::string name;
    BvhOptions options;
};

struct Settings {
    std::vector<Tree> trees;
    uint32_t threads = 0, repeats = 3, width = 320, height = 180;
};

void apply(const std::string& key, const std::string& value, BvhOptions& options) {
    if (key == "fast")
        options = bvh_preset(BvhPreset::Fast);
    else if (key == "balanced")
        options = bvh_preset(BvhPreset::Balanced);
    else if (key == "best")
        options = bvh_preset(BvhPreset::Best);
    else if (key == "splits")
        options.spatial_splits = true;
    else if (key == "growth")
        options.max_reference_growth = std::stof(value), options.spatial_splits = std::stof(value) > 0;
    else if (key == "alpha")
        options.split_alpha = std::stof(value);
    else if (key == "rounds")
        options.reinsertion_rounds = static_cast<uint32_t>(std::stoul(value));
    else if (key == "links")
        options.reinsertion_links = static_cast<uint32_t>(std::stoul(value));
    else if (key == "triangle")
        options.triangle_cost = std::stof(value);
    else if (key == "single")
        options.single_leaves = value != "0";
    else
        throw std::runtime_error("unknown key " + key);
}

/// "best,rounds:3": a preset and what differs from it.
Tree parse_tree(const std::string& text) {
    Tree tree{text, {}};
    for (std::string rest = text; !rest.empty();) {
        const size_t end = std::min(rest.find(','), rest.size());
        const std::string part = rest.substr(0, end);
        const size_t colon = std::min(part.find(':'), part.size());
        apply(part.substr(0, colon), colon < part.size() ? part.substr(colon + 1) : "1", tree.options);
        rest.erase(0, end + 1);
    }
    return tree;
}

Settings parse(int argc, char** argv) {
    Settings s;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const size_t equals = std::min(argument.find('='), argument.size() - 1);
        const std::string key = argument.substr(0, equals), value = argument.substr(equals + 1);
        if (key == "--tree")
            s.trees.push_back(parse_tree(value));
        else if (key == "--threads")
            s.threads = static_cast<uint32_t>(std::stoul(value));
        else if (key == "--repeats")
            s.repeats = static_cast<uint32_t>(std::stoul(value));
        else if (key == "--scale" && std::sscanf(value.c_str(), "%ux%u", &s.width, &s.height) == 2)
            continue;
        else
            throw std::runtime_error("unknown argument " + argument);
    }
    if (s.trees.empty()) s.trees = {parse_tree("fast"), parse_tree("balanced"), parse_tree("best")};
    return s;
}

double cpu_seconds(int who) {
    rusage u;
    getrusage(who, &u);
    return double(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * double(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

struct Rates {
    double nodes, tests, mrays_per_s;
};

Rates trace(const BvhView& bvh, const std::vector<Ray>& rays, bool any, uint32_t repeats) {
    Rates rates{0, 0, 0};
    for (uint32_t r = 0; r < repeats; ++r) {
        TraversalCost cost;
        uint64_t hits = 0;
        const double start = cpu_seconds(RUSAGE_THREAD);
        for (const Ray& ray : rays)
            hits += any ? any_hit(bvh, ray, AcceptAll{}, cost)
                        : closest_hit(bvh, ray, AcceptAll{}, cost).prim_id != invalid_id;
        const double time = cpu_seconds(RUSAGE_THREAD) - start, n = double(rays.size());
        if (hits > rays.size()) throw std::runtime_error("more hits than rays");
        rates = {double(cost.node_steps) / n, double(cost.triangle_tests) / n,
                 std::max(rates.mrays_per_s, 1e-6 * n / time)};
    }
    return rates;
}

void print_row(const BenchScene& scene, const Tree& tree, const RaySets& rays, const Settings& settings) {
    BvhOptions options = tree.options;
    options.num_threads = settings.threads;
    std::vector<double> wall, cpu;
    Bvh bvh;
    for (uint32_t r = 0; r < settings.repeats; ++r) {
        bvh = {};
        const double start = cpu_seconds(RUSAGE_SELF);
        bvh = build_bvh(scene.triangle_view(), scene.position_view(), options);
        cpu.push_back(1e3 * (cpu_seconds(RUSAGE_SELF) - start));
        wall.push_back(bvh.statistics.build_ms);
    }
    const BvhStatistics& s = bvh.statistics;
    std::printf("| %s | %s | %.0f | %.0f | %.2f | %.3f | %u | %.1f | %.1f |", scene.name.c_str(), tree.name.c_str(),
                median(wall), median(cpu), s.sah_cost, double(s.num_references) / double(s.num_triangles), s.max_depth,
                double(s.size_bytes) / double(1 << 20), double(s.peak_build_bytes) / double(s.size_bytes));
    const struct {
        const std::vector<Ray>& rays;
        bool any;
    } kinds[] = {{rays.primary, false}, {rays.diffuse, false}, {rays.shadow, true}};
    for (const auto& kind : kinds) {
        const Rates r = trace(bvh.view(), kind.rays, kind.any, settings.repeats);
        std::printf(" %.2f | %.2f | %.2f |", r.nodes, r.tests, r.mrays_per_s);
    }
    std::printf("\n");
    std::fflush(stdout);
}

}  // namespace
}  // namespace warpath::bench

int main(int argc, char** argv) {
    using namespace warpath;
    try {
        const std::vector<bench::BenchScene> scenes = bench::load_scenes(argc, argv);
        const bench::Settings settings = bench::parse(argc, argv);
        std::printf(
            "| scene | tree | build ms | CPU ms | SAH cost | references per triangle | depth | MiB | peak / MiB | "
            "primary nodes | tests | Mrays/s "
            "| diffuse nodes | tests | Mrays/s | shadow nodes | tests | Mrays/s |\n|");
        for (int i = 0; i < 18; ++i) std::printf(" --- |");
        std::printf("\n");
        for (const bench::BenchScene& scene : scenes) {
            const Bvh plain = build_bvh(scene.triangle_view(), scene.position_view(), {});
            const bench::RaySets rays = bench::make_rays(scene, plain.view(), settings.width, settings.height);
            for (const bench::Tree& tree : settings.trees) bench::print_row(scene, tree, rays, settings);
        }
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
    return 0;
}
