#include <chrono>
#include <memory>

#include "cli/command.h"
#include "cli/log.h"
#include "cli/progress_report.h"
#include "cli/render_flags.h"
#include "cli/render_report.h"
#include "cli/statistics_report.h"
#include "cli/scene_report.h"
#include "warpath/error.h"
#include "warpath/file.h"
#include "warpath/profile.h"
#include "warpath/stop_signal.h"

namespace warpath::cli {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void log_warnings(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) log_warning(warning);
}

void log_scene(const SceneInfo& info, const RenderRequest& request) {
    log_info("scene " + request.scene.string() + ": " + std::to_string(info.num_triangles) + " triangles, " +
             std::to_string(info.num_materials) + " materials, " + std::to_string(info.num_textures) + " textures, " +
             std::to_string(info.num_emissive_triangles) + " emissive triangles, environment " + info.environment);
    const RenderOptions& o = request.render;
    log_info("film " + std::to_string(o.width) + "x" + std::to_string(o.height) + ", " + std::to_string(o.spp) +
             " spp, depth " + std::to_string(o.max_depth) + ", seed " + std::to_string(o.seed) + ", " + o.sampler +
             ", " + o.filter + ", scheduler " + o.scheduler);
    log_warnings(info.warnings);
}

/// A profile must not be what keeps an image from being made: what it asks for may be more than there is now.
RenderResult render_with_profile(const LoadedScene& scene, RenderRequest& request, OutputTarget& progress, const std::atomic<bool>& stop) {
    if (request.profile.empty()) return render(scene, request.render, progress, &stop);
    try {
        return render(scene, request.render, progress, &stop);
    } catch (const Error& e) {
        if (e.code() != ErrorCode::BadOption && e.code() != ErrorCode::OutOfMemory) throw;
        log_warning("the profile " + request.profile.string() + " does not fit and is left out: " + e.what());
    }
    request.profile.clear();
    apply_profile({}, request.render);
    return render(scene, request.render, progress, &stop);
}

int run_render(const RenderFlags& flags) {
    const Clock::time_point start = Clock::now();
    RenderRequest request = flags.request();
    const LoadedScene scene = LoadedScene::load(request.scene, request.load);
    flags.apply_scene_settings(scene.info(), request);
    log_scene(scene.info(), request);
    flags.apply_profile(scene, request);

    const StopSignal stop;  // until the image is written: a second signal ends even a slow disk's wait
    ProgressReport progress(request.render.spp, request.quiet);
    RenderResult result = render_with_profile(scene, request, progress, stop.flag());
    progress.finish();
    log_warnings(result.warnings);
    for (const std::string& line : summary_lines(request, result)) log_info(line);
    if (request.print_statistics)
        for (const std::string& line : statistics_lines(result)) log_info(line);

    CommandTimes times;
    const Clock::time_point rendered = Clock::now();
    result.image.attributes = image_attributes(request, scene.info(), result);
    write_image(result.image, request.output, request.write);
    times.write_ms = ms_since(rendered);
    times.total_ms = ms_since(start);
    log_info("wrote " + request.output.string());
    if (request.trace) {
        write_file(*request.trace, chrome_trace(*result.timeline));
        log_info("wrote " + request.trace->string());
    }
    if (request.statistics) {
        write_file(*request.statistics, json_text(statistics_json(request, scene.info(), result, times)));
        log_info("wrote " + request.statistics->string());
    }
    if (result.incomplete) return exit_failure;
    return result.stopped ? exit_stopped : 0;
}

}  // namespace

Command add_render_command(CLI::App& program) {
    CLI::App* flags = program.add_subcommand("render", "render a scene to an image file");
    const auto render_flags = std::make_shared<RenderFlags>();
    render_flags->add_to(*flags);
    return {flags, [render_flags] { return run_render(*render_flags); }};
}

}  // namespace warpath::cli
