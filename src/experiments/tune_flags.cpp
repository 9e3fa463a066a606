#include "experiments/tune_flags.h"

#include <algorithm>
#include <cstdio>

#include "experiments/device_identity.h"
#include "experiments/environment.h"
#include "experiments/plan_file.h"
#include "experiments/tuner.h"
#include "warpath/error.h"
#include "warpath/profile.h"
#include "warpath/stop_signal.h"

namespace warpath::experiments {
namespace {

/// The search is no experiment of its own, but its rows name one.
const Experiment search = {"tune", "Some configuration is faster than the defaults.", "None is, beyond doubt.", 1.0, nullptr, {}};

/// Frames of more paths than this behave alike, and take longer: on CUDA the bound of the largest class of scenes, on the CPU some tens of
/// milliseconds.
uint64_t enough_paths(bool on_cuda) { return on_cuda ? uint64_t{1} << 24 : uint64_t{1} << 15; }

/// Fewer samples, then a smaller film of the same shape, until a frame has not much more than enough paths.
void shrink(RenderOptions& options, bool on_cuda) {
    const auto paths = [&] { return uint64_t{options.width} * options.height * options.spp; };
    while (paths() > enough_paths(on_cuda) && options.spp > 1) options.spp = std::max(1u, options.spp / 2);
    while (!on_cuda && paths() > enough_paths(on_cuda) && options.width > 1 && options.height > 1) options.width /= 2, options.height /= 2;
}

Profile profile_of(const Tuned& tuned, const ProfileKey& key, const std::string& scene) {
    Profile profile;
    profile.key = key;
    profile.batch = tuned.options.batch, profile.pool = tuned.options.pool, profile.blocks_per_sm = tuned.options.blocks_per_sm;
    profile.block_size = tuned.options.block_size, profile.refill_below = tuned.options.refill_below;
    profile.default_ms = tuned.defaults.median;
    const bool kept = schedule_text(tuned.options) != "default";
    profile.tuned_ms = kept ? tuned.tuned.median : tuned.defaults.median;
    profile.scene = scene, profile.date = date_text();
    return profile;
}

void print(const Tuned& tuned, const ProfileKey& key) {
    std::printf("%s on %s, scenes of class %s:\n", key.scheduler.c_str(), key.device.c_str(), key.scene_class.c_str());
    std::printf("  defaults: %.4g ms [%.4g, %.4g]\n", tuned.defaults.median, tuned.defaults.interval.low, tuned.defaults.interval.high);
    if (!tuned.tuned.values.empty())
        std::printf("  best of the search: %.4g ms [%.4g, %.4g], %.3fx [%.3f, %.3f]\n", tuned.tuned.median, tuned.tuned.interval.low,
                    tuned.tuned.interval.high, tuned.defaults.median / tuned.tuned.median, tuned.speed_up.low, tuned.speed_up.high);
    const std::string chosen = schedule_text(tuned.options);
    std::printf("  %s\n", chosen == "default" ? "nothing beats the defaults beyond doubt" : chosen.c_str());
}

}  // namespace

void TuneFlags::add_to(CLI::App& flags) {
    flags.add_option("scene", scene_, "scene file; what is found is kept for its class")->required();
    flags.add_option("--scheduler", scheduler_, "the one to tune (default: auto, the one that it picks)");
    flags.add_option("--size", size_, "film WxH (default: the scene's, else 1280x720); a frame with very many paths is tuned on a smaller one");
    flags.add_option("--spp", spp_, "samples per pixel (default: the scene's, else 64)")->check(CLI::Range(1u, 1u << 24));
    max_depth_flag_ = flags.add_option("--max-depth", max_depth_, "depth limit (default: the scene's, else 16)")->check(CLI::Range(0u, 1000000u));
    flags.add_option("--backend", given_.backend, "cpu or cuda (default: cuda if there is a device, else cpu)")->check(CLI::IsMember({"cpu", "cuda"}));
    flags.add_option("--device", given_.device, "which of the backend's devices (default: 0)");
    flags.add_option("--threads", given_.num_threads, "CPU threads (default: all cores)")->check(CLI::Range(0u, 4096u));
    flags.add_option("--bvh", bvh_, "fast (default), balanced or best")->check(CLI::IsMember(bvh_quality_names()));
    flags.add_option("--budget", budget_s_, "seconds for the search (default: 60)")->check(CLI::Range(1.0, 1e6));
    flags.add_option("--profiles", profiles_, "folder to keep the profile in (default: warpath/profiles of the user's data folder)");
    flags.add_option("--out", folder_, "folder for the rows of the search (default: they are not kept)");
    flags.add_option("--commit", commit_, "for the record (default: asked from git)");
}

RenderOptions TuneFlags::options(const SceneInfo& scene) const {
    RenderOptions options = given_;
    options.scheduler = scheduler_;
    options.width = scene.width.value_or(options.width), options.height = scene.height.value_or(options.height);
    if (!size_.empty()) {
        const auto film = film_from(size_);
        if (!film) throw Error(ErrorCode::BadOption, "--size '" + size_ + "' is not accepted: give WIDTHxHEIGHT, such as 1920x1080");
        options.width = film->width, options.height = film->height;
    }
    options.spp = spp_ > 0 ? spp_ : scene.spp.value_or(options.spp);
    options.max_depth = max_depth_flag_->count() > 0 ? max_depth_ : scene.max_depth.value_or(options.max_depth);
    return options;
}

Plan TuneFlags::plan(const LoadedScene& scene, const RenderOptions& options) const {
    Plan plan;
    const ProfileKey key = profile_key(scene, options);
    plan.experiments = {search.name};
    plan.scenes = {view_of_scene(scene_)};
    plan.schedulers = {key.scheduler};
    plan.films = {{options.width, options.height}};
    plan.spp = {options.spp}, plan.depths = {options.max_depth};
    plan.batches = plan.blocks = plan.pools = plan.block_sizes = plan.refills = {0};
    plan.backend = key.backend, plan.device = options.device, plan.threads = options.num_threads;
    plan.budget_s = budget_s_, plan.bvh = bvh_quality_of(bvh_);
    describe_plan(plan);
    return plan;
}

int TuneFlags::run(const std::string& command) {
    const std::filesystem::path profiles = profiles_.empty() ? profile_folder() : std::filesystem::path(profiles_);
    if (profiles.empty()) throw Error(ErrorCode::Io, "there is no folder for profiles: neither XDG_DATA_HOME nor HOME is set; name one with --profiles");
    const LoadedScene scene = LoadedScene::load(scene_, {});
    RenderOptions wanted = options(scene.info());
    const ProfileKey key = profile_key(scene, wanted);
    shrink(wanted, key.backend == "cuda");
    wanted.scheduler = key.scheduler, wanted.backend = key.backend;

    const StopSignal stop;
    const BenchRequest request{plan(scene, wanted), folder_, false, false, commit_, command};
    if (!folder_.empty()) std::filesystem::create_directories(folder_);
    RowFile rows(folder_.empty() ? "/dev/null" : request.folder / "rows.jsonl", false);
    Telemetry telemetry = key.backend == "cuda" ? Telemetry::open(pci_bus_id(wanted.device)) : Telemetry("the run is on the CPU");
    rows.append(environment_row(request, telemetry.description(), telemetry.why_not()));
    Session session{request.plan, rows, std::move(telemetry), stop.flag()};
    ExperimentContext context(session, search, budget_s_);
    LoadedView view(context, request.plan.scenes.front());
    const Json cell = {{"scene", view.name()}, {"film", request.plan.films.front().text()}, {"spp", wanted.spp}, {"depth", wanted.max_depth},
                       {"scheduler", key.scheduler}};
    try {
        const Tuned tuned = tune(context, view, wanted, cell);
        if (session.num_failures > 0) return 1;
        if (tuned.defaults.values.empty()) throw Error(ErrorCode::BadOption, "the search found no time for a single run; raise --budget");
        print(tuned, key);
        const std::filesystem::path file = save_profile(profile_of(tuned, key, view.name()), profiles);
        std::printf("kept in %s\n", file.c_str());
    } catch (const Interrupted&) {
        std::fprintf(stderr, "stopped; no profile was written\n");
        return 130;
    }
    return 0;
}

}  // namespace warpath::experiments
