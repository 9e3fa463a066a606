#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "api/scene_impl.h"
#include "bvh/build.h"
#include "experiments/list.h"
#include "experiments/rendered_cell.h"
#include "experiments/roofline_probe.h"
#include "experiments/traversal_agreement.h"
#include "experiments/traversal_rays.h"
#include "materials/interpolate.h"
#include "warpath/error.h"

/// Tracing alone: warpath's trees and traversal against a plain ray tracer (plain_bvh.h), with the same rays and the same results, ray by ray. What each kernel visits,
/// how full its warps are, and how near it comes to what the device can fetch and issue name what holds it back.
namespace warpath::experiments {
namespace {

/// Instructions of a step of each loop, about, read off the code for compute capability 9.0: the usual way through it. What begins and ends a ray is not among them
/// (some 280 and 80 instructions).
constexpr double warpath_node_instructions = 66, warpath_triangle_instructions = 60;
constexpr double plain_node_instructions = 58, plain_triangle_instructions = 62;

constexpr double fetch_bytes = 64;
constexpr size_t first_level_set = size_t{1} << 16;
constexpr uint32_t num_sampled = 64;
/// Beyond this share of the rays, disagreement is a fault: peers reach 5e-5.
constexpr double most_disagreeing = 1e-4;

using SceneSource = std::pair<std::string, std::function<TraversalScene()>>;

std::unique_ptr<TraversalProbe> open_probe(const ExperimentContext& context) {
    if (!context.on_cuda()) return make_cpu_traversal_probe(context.plan().threads);
    try {
        return make_traversal_probe(static_cast<int>(context.plan().device));
    } catch (const Error& e) {
        if (e.code() != ErrorCode::Unavailable) throw;
        context.skip(e.what());
    }
}

Vec3 vec3(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

/// A rectangle under the top of the scene's box, unless the plan gives corner and edges.
void place_light(const ExperimentContext& context, TraversalScene& scene) {
    const Json lights = context.option("lights", Json::object());
    if (lights.contains(scene.name)) {
        const auto n = lights.at(scene.name).get<std::array<float, 9>>();
        scene.light_corner = {n[0], n[1], n[2]}, scene.light_edges[0] = {n[3], n[4], n[5]}, scene.light_edges[1] = {n[6], n[7], n[8]};
        return;
    }
    const Bounds box = scene.bounds();
    const Vec3 extent = box.extent();
    scene.light_corner = box.lo + extent * Vec3(0.25f, 0.95f, 0.25f);
    scene.light_edges[0] = {0.5f * extent.x, 0, 0}, scene.light_edges[1] = {0, 0, 0.5f * extent.z};
}

TraversalScene loaded_scene(const ExperimentContext& context, const View& view) {
    const LoadedScene& loaded = context.scene(view);
    const CameraOption& camera = loaded.info().camera;
    TraversalScene scene{.name = view.name, .soup = {}, .eye = vec3(camera.eye), .target = vec3(camera.target), .up = vec3(camera.up), .vfov_deg = camera.vfov_deg};
    const SceneData& data = loaded.impl().data;
    const SceneView columns = data.view();
    scene.soup.reserve(3 * data.num_prims);
    for (uint32_t prim_id = 0; prim_id < data.num_prims; ++prim_id) {
        const PrimPlace prim = find_prim(columns, prim_id);
        TriangleVertices vertices(columns, columns.triangles[prim.triangle]);
        if (prim.instance != invalid_id) vertices.place(columns.instances[prim.instance]);
        for (const SceneVertex& vertex : vertices.vertex) scene.soup.push_back(vertex.place.position);
    }
    place_light(context, scene);
    return scene;
}

std::vector<SceneSource> scene_sources(const ExperimentContext& context) {
    std::vector<SceneSource> sources;
    for (const View& view : context.plan().scenes) sources.emplace_back(view.name, [&context, view] { return loaded_scene(context, view); });
    const std::vector<std::string> usual = context.on_cuda() ? std::vector<std::string>{"atrium", "terrain", "hairball"} : std::vector<std::string>{"atrium"};
    const auto scale = context.option("scale", 1.0f);
    for (const std::string& name : context.option("generated", usual)) {
        const auto found = std::find_if(generated_scenes().begin(), generated_scenes().end(), [&](const GeneratedScene& scene) { return scene.name == name; });
        if (found == generated_scenes().end()) throw Error(ErrorCode::BadOption, "option 'generated' of traversal: there is no scene '" + name + "'");
        sources.emplace_back(name, [found, scale] { return found->make(scale); });
    }
    return sources;
}

double ms_since(std::chrono::steady_clock::time_point start) { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(); }

TraversalTree plain_tree(const TraversalScene& scene) {
    const auto start = std::chrono::steady_clock::now();
    PlainTree plain = build_plain_tree(scene.soup);
    TraversalTree tree;
    tree.name = "plain", tree.build_ms = ms_since(start);
    tree.nodes = std::move(plain.nodes), tree.plain_triangles = std::move(plain.triangles), tree.max_depth = plain.max_depth, tree.sah_cost = plain.sah_cost;
    return tree;
}

/// Names are those of a plan's `bvh`.
TraversalTree warpath_tree(const TraversalScene& scene, const std::string& name, uint32_t num_threads) {
    std::vector<Triangle> triangles(scene.num_triangles());
    for (uint32_t i = 0; i < triangles.size(); ++i) triangles[i] = {.vertex = {3 * i, 3 * i + 1, 3 * i + 2}, .material_id = 0};
    BvhOptions options = bvh_preset(static_cast<BvhPreset>(bvh_quality_of(name)));
    options.num_threads = num_threads;
    Bvh bvh = build_bvh({triangles.data(), scene.num_triangles()}, ArrayView<Vec3>{scene.soup.data(), static_cast<uint32_t>(scene.soup.size())}, options);
    TraversalTree tree{.name = name, .nodes = std::move(bvh.columns.nodes), .triangles = std::move(bvh.columns.triangles), .plain_triangles = {},
                       .max_depth = bvh.statistics.max_depth, .sah_cost = bvh.statistics.sah_cost, .build_ms = bvh.statistics.build_ms};
    for (const BvhTriangle& triangle : tree.triangles) tree.plain_triangles.push_back(plain_triangle(scene.soup, triangle.prim_id()));
    return tree;
}

/// Rates of random fetches by the size of what is fetched from, in Gfetches/s; zeros where nobody measured.
class FetchCeilings {
  public:
    FetchCeilings() = default;
    explicit FetchCeilings(ExperimentContext& context) {
        const auto probe = make_roofline_probe(static_cast<int>(context.plan().device));
        const auto best = [&](size_t bytes, bool first_level) {
            double rate = 0;
            for (int i = 0; i < 3; ++i) rate = std::max(rate, probe->measure_fetches(bytes, first_level));
            return rate;
        };
        Json sets = Json::array(), rates = Json::array();
        for (size_t bytes = size_t{1} << 23; bytes <= size_t{1} << 30; bytes *= 2) {
            beyond_[bytes] = best(bytes, false);
            sets.push_back(bytes), rates.push_back(beyond_[bytes]);
        }
        first_level_ = best(first_level_set, true);
        context.record({{"ceiling", "fetches"}}, {{"from", "first level"}}, "Gfetches/s", {first_level_}, Json::object(), true);
        context.record({{"ceiling", "fetches"}}, {{"from", "beyond the first level"}}, "Gfetches/s", {beyond_.begin()->second}, {{"bytes", sets}, {"rate", rates}}, true);
    }
    double first_level() const { return first_level_; }
    /// Between the sizes measured, by the logarithm of the size.
    double beyond(uint64_t bytes) const {
        if (beyond_.empty()) return 0;
        const auto above = beyond_.lower_bound(bytes);
        if (above == beyond_.begin()) return above->second;
        const auto below = std::prev(above);
        if (above == beyond_.end()) return below->second;
        const double share = std::log2(static_cast<double>(bytes) / static_cast<double>(below->first)) / std::log2(static_cast<double>(above->first) / static_cast<double>(below->first));
        return below->second + share * (above->second - below->second);
    }

  private:
    std::map<uint64_t, double> beyond_;
    double first_level_ = 0;
};

/// A kernel on a tree.
struct Pairing {
    size_t kernel, tree;
};

class TraversalBench {
  public:
    TraversalBench(ExperimentContext& context, TraversalProbe& probe)
        : context_(context), probe_(probe), kernels_(probe.kernels()), film_(context.plan().films.front()), trees_wanted_(context.option("trees", std::vector<std::string>{bvh_quality_name(context.plan().bvh)})),
          only_(context.option("kernels", std::vector<std::string>{})), sets_(context.option("rays", std::vector<std::string>(ray_set_names, ray_set_names + num_ray_sets))) {
        for (const std::string& set : sets_)
            if (std::find(ray_set_names, ray_set_names + num_ray_sets, set) == ray_set_names + num_ray_sets)
                throw Error(ErrorCode::BadOption, "option 'rays' of traversal: there is no set '" + set + "'");
    }

    void run() {
        const std::vector<SceneSource> sources = scene_sources(context_);
        if (sources.empty()) context_.skip("the plan names no scene");
        if (context_.on_cuda()) ceilings_ = FetchCeilings(context_);
        context_.expect_cells(sources.size() * sets_.size());
        for (const auto& [name, make] : sources) {
            context_.check_stop();
            if (context_.seconds_left() <= 0) {
                context_.leave_out({{"scene", name}}, "no time was left");
                continue;
            }
            run_scene(make());
        }
        summarise();
    }

  private:
    void run_scene(const TraversalScene& scene) {
        trees_.clear();
        trees_.push_back(plain_tree(scene));
        for (const std::string& name : trees_wanted_) trees_.push_back(warpath_tree(scene, name, context_.plan().threads));
        for (const TraversalTree& tree : trees_)
            context_.record({{"scene", scene.name}}, {{"tree", tree.name}}, "ms", {tree.build_ms},
                            {{"triangles", scene.num_triangles()}, {"references", tree.plain_triangles.size()}, {"nodes", tree.nodes.size()}, {"bytes", tree.size_bytes()},
                             {"max_depth", tree.max_depth}, {"sah_cost", tree.sah_cost}});
        probe_.set_scene(scene, trees_);
        diagonal_ = length(scene.bounds().extent());
        RaySetOptions options{.width = film_.width, .height = film_.height, .num_rays = context_.option("samples", 2u) * film_.width * film_.height};
        for (size_t i = 0; i < num_ray_sets; ++i) options.wanted[i] = std::count(sets_.begin(), sets_.end(), ray_set_names[i]) > 0;
        const RaySets sets = make_ray_sets(scene, options, [&](const std::vector<Ray>& rays, std::vector<Hit>& hits) { probe_.trace(rays, hits); });
        for (size_t i = 0; i < num_ray_sets; ++i)
            if (options.wanted[i]) run_set(scene, ray_set_names[i], sets[i], static_cast<RaySetKind>(i) == RaySetKind::Shadow);
    }

    void run_set(const TraversalScene& scene, const char* set, const std::vector<Ray>& rays, bool any) {
        Cell cell;
        cell.key = {{"scene", scene.name}, {"rays", set}, {"film", film_.text()}};
        if (rays.empty()) return context_.leave_out(cell.key, "no ray of this kind was made");
        cell.unit = "Mrays/s";
        cell.more_is_better = true;
        any_ = any, num_rays_ = rays.size();
        probe_.set_rays(rays, any);
        take_reference();
        std::vector<Pairing> pairings;
        for (size_t tree = 0; tree < trees_.size(); ++tree)
            for (size_t kernel = 0; kernel < kernels_.size(); ++kernel)
                if (fits(kernel, tree)) pairings.push_back({kernel, tree});
        for (const Pairing& pairing : pairings) cell.variants.push_back(variant_of(cell.key, pairing));
        record_ratios(cell.key, pairings, context_.measure(cell));
    }

    /// The plain kernels go through warpath's trees too, where they show what the tree alone does; those that are no baseline stay with the plain tree.
    bool fits(size_t kernel, size_t tree) const {
        const TraversalKernel& k = kernels_[kernel];
        if (!only_.empty() && !k.is_baseline && std::find(only_.begin(), only_.end(), k.name) == only_.end()) return false;
        return k.plain ? k.is_baseline || tree == 0 : !trees_[tree].triangles.empty();
    }

    /// The first baseline's results, and what all triangles say about some rays.
    void take_reference() {
        const TraversalResults results = probe_.results(0, 0);
        reference_hits_.assign(results.hits, results.hits ? results.hits + num_rays_ : nullptr);
        reference_occluded_.assign(results.occluded, results.occluded ? results.occluded + num_rays_ : nullptr);
        sampled_.clear();
        for (uint32_t i = 0; i < num_sampled; ++i) sampled_.push_back(static_cast<uint32_t>((uint64_t{num_rays_} * i + num_rays_ / 2) / num_sampled));
        exact_ = probe_.exact_distances(sampled_);
    }
    TraversalResults reference() const { return {any_ ? nullptr : reference_hits_.data(), any_ ? reference_occluded_.data() : nullptr}; }

    Variant variant_of(const Json& cell, Pairing pairing) {
        Variant variant;
        variant.key = {{"kernel", kernels_[pairing.kernel].name}, {"tree", trees_[pairing.tree].name}};
        variant.left_out = kernels_[pairing.kernel].why_not;
        const auto times = std::make_shared<std::vector<double>>();
        variant.run = [this, pairing, times] {
            times->push_back(probe_.run_ms(pairing.kernel, pairing.tree));
            Sample sample;
            sample.value = 1e-3 * static_cast<double>(num_rays_) / std::max(times->back(), 1e-6);
            return sample;
        };
        variant.details = [this, pairing, times, cell, key = variant.key] {
            Json data = describe_cost(pairing, median(*times));
            data["agreement"] = check(cell, key, pairing);
            return data;
        };
        return variant;
    }

    Json describe_cost(const Pairing& pairing, double ms) {
        const TraversalTotals totals = probe_.totals(pairing.kernel, pairing.tree);
        const KernelResources resources = probe_.resources(pairing.kernel, any_);
        const TraversalTree& tree = trees_[pairing.tree];
        const auto n = static_cast<double>(num_rays_), nodes = static_cast<double>(totals.node_steps), triangles = static_cast<double>(totals.triangle_tests);
        const auto node_groups = static_cast<double>(totals.node_group_steps), triangle_groups = static_cast<double>(totals.triangle_group_tests);
        const double lanes = context_.on_cuda() ? 32 : 1;
        const auto share = [](double part, double whole) { return whole > 0 ? to_digits(6, part / whole) : 0.0; };
        Json data = {{"rays", num_rays_}, {"nodes_per_ray", to_digits(6, nodes / n)}, {"triangles_per_ray", to_digits(6, triangles / n)},
                     {"node_simt", share(nodes, lanes * node_groups)}, {"triangle_simt", share(triangles, lanes * triangle_groups)},
                     {"tree_bytes", tree.size_bytes()}, {"build_ms", tree.build_ms}};
        if (!context_.on_cuda()) return data;
        const double fetches = (nodes * sizeof(BvhNode) + triangles * sizeof(PlainTriangle)) / fetch_bytes / ms * 1e-6;
        const bool plain = kernels_[pairing.kernel].plain;
        const double instructions = node_groups * (plain ? plain_node_instructions : warpath_node_instructions) +
                                    triangle_groups * (plain ? plain_triangle_instructions : warpath_triangle_instructions);
        data["registers"] = resources.registers, data["local_bytes"] = resources.local_bytes, data["warps_per_sm"] = resources.warps_per_sm;
        data["gfetches_per_s"] = to_digits(6, fetches);
        data["share_of_fetches_beyond"] = share(fetches, ceilings_.beyond(tree.size_bytes()));
        data["share_of_first_level"] = share(fetches, ceilings_.first_level());
        data["share_of_issue"] = share(instructions, ms * probe_.issue_slots_per_ms());
        return data;
    }

    /// Against the baseline, ray by ray, and against all triangles for some rays and for those that disagree.
    Json check(const Json& cell, const Json& variant, const Pairing& pairing) {
        const TraversalResults results = probe_.results(pairing.kernel, pairing.tree);
        const Agreement agreement = compare_results(reference(), results, num_rays_, diagonal_);
        Json json = agreement.json();
        const size_t refuted = num_refuted(results, sampled_, exact_, diagonal_);
        json["sampled"] = sampled_.size(), json["sampled_refuted"] = refuted;
        if (!agreement.listed.empty()) {
            const std::vector<Hit> hits(results.hits, results.hits ? results.hits + num_rays_ : nullptr);
            const std::vector<uint32_t> occluded(results.occluded, results.occluded ? results.occluded + num_rays_ : nullptr);
            const std::vector<double> exact = probe_.exact_distances(agreement.listed);
            json["looked_at"] = agreement.listed.size();
            json["refuted"] = num_refuted({any_ ? nullptr : hits.data(), any_ ? occluded.data() : nullptr}, agreement.listed, exact, diagonal_);
            json["baseline_refuted"] = num_refuted(reference(), agreement.listed, exact, diagonal_);
        }
        if (static_cast<double>(agreement.num_disagreeing()) > most_disagreeing * static_cast<double>(num_rays_) + 1)
            context_.fail(cell, variant, std::to_string(agreement.num_disagreeing()) + " of " + std::to_string(num_rays_) + " rays differ from the baseline's");
        if (refuted > 1) context_.fail(cell, variant, std::to_string(refuted) + " of " + std::to_string(sampled_.size()) + " rays differ from a test of all triangles");
        return json;
    }

    /// Each kernel over the best baseline, with the interval of the ratio.
    void record_ratios(const Json& cell, const std::vector<Pairing>& pairings, const std::vector<Outcome>& outcomes) {
        const Outcome* baseline = nullptr;
        for (size_t i = 0; i < outcomes.size(); ++i)
            if (pairings[i].tree == 0 && kernels_[pairings[i].kernel].is_baseline && !outcomes[i].values.empty() && (!baseline || outcomes[i].median > baseline->median))
                baseline = &outcomes[i];
        if (!baseline || baseline->median <= 0) return;
        double best = 0;
        for (size_t i = 0; i < outcomes.size(); ++i) {
            if (outcomes[i].values.empty() || !outcomes[i].left_out.empty()) continue;
            const Json& variant = outcomes[i].variant;
            const std::string name = variant["kernel"].get<std::string>() + ", " + variant["tree"].get<std::string>();
            const double ratio = outcomes[i].median / baseline->median;
            const Interval interval = ratio_interval(outcomes[i].values, baseline->values);
            context_.record(cell, {{"ratio", name}}, "x", {ratio}, {{"low", interval.low}, {"high", interval.high}, {"baseline", baseline->variant["kernel"]}}, true);
            ratios_[name].push_back(ratio);
            if (!kernels_[pairings[i].kernel].plain) best = std::max(best, ratio);
        }
        if (best > 0) ratios_["the best of warpath in each cell"].push_back(best);
    }

    /// Over all cells of this session.
    void summarise() {
        for (const auto& [name, ratios] : ratios_) {
            double sum = 0;
            for (const double ratio : ratios) sum += std::log(ratio);
            const double mean = std::exp(sum / static_cast<double>(ratios.size())), least = *std::min_element(ratios.begin(), ratios.end());
            context_.record({{"summary", "over the best baseline"}}, {{"mean", name}}, "x", {mean}, {{"cells", ratios.size()}, {"least", least}}, true);
            context_.say(name + ": " + shown_ratio(mean) + " of the best baseline, geometric mean of " + std::to_string(ratios.size()) + " cells; least " + shown_ratio(least));
        }
    }
    static std::string shown_ratio(double ratio) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3f", ratio);
        return text;
    }

    ExperimentContext& context_;
    TraversalProbe& probe_;
    std::vector<TraversalKernel> kernels_;
    Film film_;
    std::vector<std::string> trees_wanted_, only_, sets_;
    FetchCeilings ceilings_;
    std::vector<TraversalTree> trees_;   ///< the plain one first
    float diagonal_ = 0;
    bool any_ = false;                   ///< of the set at hand
    size_t num_rays_ = 0;
    std::vector<Hit> reference_hits_;
    std::vector<uint32_t> reference_occluded_, sampled_;
    std::vector<double> exact_;          ///< of the sampled rays
    std::map<std::string, std::vector<double>> ratios_;
};

void run(ExperimentContext& context) {
    const auto probe = open_probe(context);
    TraversalBench(context, *probe).run();
}

}  // namespace

const Experiment traversal_experiment = {
    "traversal",
    "Random fetches from the first-level cache and the issue of instructions bound tracing, not the memory behind: so warpath's kernels gain over a plain one by better trees and fuller "
    "warps, and lose by the instructions of their watertight tests.",
    "Warpath's kernels on their own tree slower than the plain kernel on the plain tree, or as far from both limits as from that of fetches beyond the first level.",
    0.5,
    run,
    {{.kind = "bar", .title = "Rate", .x = "variant.kernel", .y = "median", .series = "variant.tree", .facet = "cell", .y_label = "Mrays/s"},
     {.kind = "interval", .title = "Over the best baseline", .x = "variant.ratio", .y = "median", .facet = "cell", .x_label = "kernel and tree", .y_label = "ratio"},
     {.kind = "bar", .title = "Lanes at work in node steps", .x = "variant.kernel", .y = "data.node_simt", .series = "variant.tree", .facet = "cell", .y_label = "share"},
     {.kind = "bar", .title = "Share of the fetches that the first level gives", .x = "variant.kernel", .y = "data.share_of_first_level", .series = "variant.tree", .facet = "cell",
      .y_label = "share"},
     {.kind = "bar", .title = "Share of the instructions that can be issued", .x = "variant.kernel", .y = "data.share_of_issue", .series = "variant.tree", .facet = "cell",
      .y_label = "share"}},
    {"generated", "scale", "lights", "rays", "samples", "trees", "kernels"}};

}  // namespace warpath::experiments
