#include <cstdio>
#include <memory>

#include "cli/command.h"
#include "cli/log.h"
#include "cli/scene_flags.h"
#include "cli/scene_report.h"

namespace warpath::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoFlags {
    SceneFlags scene;
    bool json = false;
};

void print_lines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) std::printf("%s\n", line.c_str());
}

/// "cpu", "cuda" or both.
std::string where_it_runs(const SchedulerInfo& scheduler) {
    if (scheduler.on_cpu && scheduler.on_cuda) return "cpu, cuda";
    return scheduler.on_cpu ? "cpu" : "cuda";
}

void print_program_lines() {
    print_lines({"version: " + version(), "build: " + build_description()});
    for (const DeviceInfo& d : list_devices())
        print_lines({"device: " + d.backend + ", " + d.name + ", " + d.detail + (d.usable ? "" : " (cannot be used)")});
    print_lines({"scheduler: auto (cpu, cuda), the default: picks one of these for each frame"});
    for (const SchedulerInfo& s : list_schedulers())
        print_lines({"scheduler: " + s.name + " (" + where_it_runs(s) + "), " + s.summary});
}

Json program_json() {
    Json devices = Json::array(), schedulers = Json::array();
    for (const DeviceInfo& d : list_devices())
        devices.push_back({{"backend", d.backend}, {"name", d.name}, {"detail", d.detail}, {"usable", d.usable}});
    for (const SchedulerInfo& s : list_schedulers())
        schedulers.push_back({{"name", s.name}, {"summary", s.summary}, {"cpu", s.on_cpu}, {"cuda", s.on_cuda}});
    return {{"version", version()}, {"build", build_description()}, {"devices", devices}, {"schedulers", schedulers}};
}

/// The options of `warpath render SCENE` without flags.
RenderOptions default_options(const SceneInfo& info, const LoadOptions& load) {
    RenderOptions options;
    options.width = info.width.value_or(options.width), options.height = info.height.value_or(options.height);
    options.spp = info.spp.value_or(options.spp);
    options.num_threads = load.num_threads;
    return options;
}

void print_scene(const InfoFlags& flags) {
    const LoadOptions load = flags.scene.load_options();
    const LoadedScene scene = LoadedScene::load(flags.scene.scene(), load);
    const std::vector<MemoryItem> plan = memory_plan(scene, default_options(scene.info(), load));
    if (flags.json) {
        Json document = scene_json(scene.info());
        document["memory"] = {{"plan", memory_json(plan)}, {"plan_bytes", total_bytes(plan)}};
        std::fputs(json_text(document).c_str(), stdout);
        return;
    }
    print_lines(scene_lines(scene.info()));
    print_lines(memory_lines(plan));
    for (const std::string& warning : scene.info().warnings) print_lines({"warning: " + printable(warning)});
}

int run_info(const InfoFlags& flags) {
    if (flags.scene.has_scene())
        print_scene(flags);
    else if (flags.json)
        std::fputs(json_text(program_json()).c_str(), stdout);
    else
        print_program_lines();
    return 0;
}

}  // namespace

Command add_info_command(CLI::App& program) {
    CLI::App* app = program.add_subcommand("info", "what this program can use; or, with a scene, what is in it");
    const auto flags = std::make_shared<InfoFlags>();
    flags->scene.add_to(*app, false);
    app->add_flag("--json", flags->json, "print JSON");
    return {app, [flags] { return run_info(*flags); }};
}

}  // namespace warpath::cli
