#include "experiments/plan.h"

#include "experiments/list.h"
#include "experiments/shared_files.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

/// Small, and apart in what they ask of a scheduler: few long paths in glass, many lights, one costly corner.
constexpr const char* shipped_scenes[] = {"scenes/cornell.json", "scenes/imbalance.json", "scenes/many_lights.json"};

Json list_json(const std::vector<uint32_t>& values) { return values; }

Json scene_json(const View& view) {
    Json scene = {{"name", view.name}, {"file", view.scene.filename().string()}};
    if (view.load.environment) scene["env"] = view.load.environment->filename().string();
    if (view.load.camera) {
        const CameraOption& c = *view.load.camera;
        scene["camera"] = {{"eye", c.eye}, {"target", c.target}, {"up", c.up}, {"vfov_deg", c.vfov_deg}};
    }
    return scene;
}

}  // namespace

RenderOptions Plan::render_options() const {
    RenderOptions options;
    options.backend = backend, options.device = device, options.num_threads = threads, options.seed = seed;
    options.width = films.front().width, options.height = films.front().height;
    options.spp = spp.front(), options.max_depth = depths.front();
    options.batch = batches.front(), options.pool = pools.front(), options.blocks_per_sm = blocks.front();
    options.block_size = block_sizes.front(), options.refill_below = refills.front();
    return options;
}

Plan default_plan(const std::string& backend) {
    Plan plan;
    plan.backend = backend;
    const bool on_cuda = backend == "cuda";
    for (const Experiment* experiment : list_experiments()) plan.experiments.push_back(experiment->name);
    for (const SchedulerInfo& scheduler : list_schedulers())
        if (on_cuda ? scheduler.on_cuda : scheduler.on_cpu) plan.schedulers.push_back(scheduler.name);
    for (const char* name : shipped_scenes)
        if (const auto file = find_shared(name)) plan.scenes.push_back(view_of_scene(*file));
    plan.films = on_cuda ? std::vector<Film>{{1920, 1080}, {256, 256}} : std::vector<Film>{{96, 54}, {240, 135}};
    plan.spp = {1};
    plan.depths = {16, 4};
    plan.batches = plan.blocks = plan.pools = plan.block_sizes = plan.refills = {0};
    return plan;
}

void describe_plan(Plan& plan) {
    Json scenes = Json::array(), films = Json::array();
    for (const View& view : plan.scenes) scenes.push_back(scene_json(view));
    for (const Film& film : plan.films) films.push_back(film.text());
    plan.document = {{"experiments", plan.experiments},
                     {"scenes", scenes},
                     {"schedulers", plan.schedulers},
                     {"film", films},
                     {"spp", list_json(plan.spp)},
                     {"depth", list_json(plan.depths)},
                     {"batch", list_json(plan.batches)},
                     {"blocks", list_json(plan.blocks)},
                     {"pool", list_json(plan.pools)},
                     {"block_size", list_json(plan.block_sizes)},
                     {"refill_below", list_json(plan.refills)},
                     {"backend", plan.backend},
                     {"device", plan.device},
                     {"threads", plan.threads},
                     {"seed", plan.seed},
                     {"warm_up", plan.warm_up},
                     {"repeats", plan.repeats},
                     {"max_repeats", plan.max_repeats},
                     {"interval", plan.interval},
                     {"budget", plan.budget_s},
                     {"bvh", bvh_quality_name(plan.bvh)},
                     {"options", plan.options}};
}

}  // namespace warpath::experiments
