#include "cli/render_report.h"

#include <array>
#include <cstdio>

#include "cli/parse.h"
#include "cli/scene_report.h"
#include "cli/statistics_report.h"

namespace warpath::cli {
namespace {

using Json = nlohmann::ordered_json;

uint64_t counter(const Counters& counters, Counter id) { return counters[static_cast<size_t>(id)]; }

std::string fixed(double value, int digits) {
    std::array<char, 64> text;
    std::snprintf(text.data(), text.size(), "%.*f", digits, value);
    return text.data();
}

std::string tone_name(ToneCurve curve) { return curve == ToneCurve::Linear ? "linear" : "filmic"; }

double per_second(double count, double ms) { return ms > 0 ? count / ms * 1e3 : 0; }

Json options_json(const RenderRequest& request) {
    const RenderOptions& o = request.render;
    return {{"width", o.width},
            {"height", o.height},
            {"spp", o.spp},
            {"max_depth", o.max_depth},
            {"seed", o.seed},
            {"scheduler", o.scheduler},
            {"backend", o.backend},
            {"device", o.device},
            {"devices", o.devices},
            {"sampler", o.sampler},
            {"filter", o.filter},
            {"threads", o.num_threads},
            {"batch", o.batch},
            {"pool", o.pool},
            {"blocks_per_sm", o.blocks_per_sm},
            {"reserve_sms", o.reserve_sms},
            {"block_size", o.block_size},
            {"refill_below", o.refill_below},
            {"profile", request.profile.string()},
            {"watchdog_s", o.watchdog_s},
            {"aovs", o.aovs},
            {"bvh", bvh_quality_name(request.load.bvh)},
            {"bvh_cache", request.load.bvh_cache.string()},
            {"exposure", request.write.exposure},
            {"tone", tone_name(request.write.tone_curve)},
            {"half", request.write.half}};
}

Json rays_json(const RenderResult& result) {
    const Counters& c = result.counters;
    return {{"camera", counter(c, Counter::CameraRays)},    {"extension", counter(c, Counter::ExtensionRays)},
            {"shadow", counter(c, Counter::ShadowRays)},    {"total", num_rays(c)},
            {"extension_by_bounce", result.rays_by_bounce}, {"shadow_by_bounce", result.shadow_rays_by_bounce}};
}

Json counters_json(const Counters& counters) {
    Json all = Json::object();
    for (size_t i = 0; i < num_counters; ++i) all[counter_infos[i].name] = counters[i];
    return all;
}

std::string counters_text(const Counters& counters) {
    std::string text;
    for (size_t i = 0; i < num_counters; ++i)
        text += (i == 0 ? "" : " ") + std::string(counter_infos[i].name) + "=" + std::to_string(counters[i]);
    return text;
}

}  // namespace

uint64_t num_rays(const Counters& c) {
    return counter(c, Counter::CameraRays) + counter(c, Counter::ExtensionRays) + counter(c, Counter::ShadowRays);
}

double mrays_per_s(const RenderResult& result) {
    return per_second(static_cast<double>(num_rays(result.counters)) * 1e-6, result.render_ms);
}

double mean_spp(const RenderResult& result) {
    const double num_pixels = static_cast<double>(result.image.width) * result.image.height;
    return num_pixels > 0 ? static_cast<double>(counter(result.counters, Counter::FinishedPaths)) / num_pixels : 0;
}

std::vector<std::string> summary_lines(const RenderRequest& request, const RenderResult& result) {
    const Counters& c = result.counters;
    const double num_samples = static_cast<double>(counter(c, Counter::FinishedPaths));
    std::vector<std::string> lines;
    if (result.incomplete)
        lines.push_back("gave up after " + fixed(mean_spp(result), 2) + " of " + std::to_string(request.render.spp) +
                        " samples per pixel; the image is incomplete");
    else if (result.stopped)
        lines.push_back("stopped after " + fixed(mean_spp(result), 2) + " of " + std::to_string(request.render.spp) +
                        " samples per pixel; every path that was started has been finished");
    lines.push_back("rendered in " + fixed(result.render_ms * 1e-3, 3) + " s: " + fixed(mrays_per_s(result), 2) +
                    " Mrays/s, " + fixed(per_second(num_samples * 1e-6, result.render_ms), 3) +
                    " Msamples/s; rays: " + std::to_string(counter(c, Counter::CameraRays)) + " camera, " +
                    std::to_string(counter(c, Counter::ExtensionRays)) + " extension, " +
                    std::to_string(counter(c, Counter::ShadowRays)) + " shadow");
    return lines;
}

Json statistics_json(const RenderRequest& request, const SceneInfo& scene, const RenderResult& result,
                     const CommandTimes& times) {
    Json document = {{"version", version()},
                     {"build", build_description()},
                     {"scene_file", request.scene.string()},
                     {"output", request.output.string()},
                     {"stopped", result.stopped},
                     {"incomplete", result.incomplete},
                     {"backend", result.backend},
                     {"backend_reason", result.backend_reason},
                     {"device", result.device},
                     {"scheduler", result.scheduler},
                     {"options", options_json(request)},
                     {"scene", scene_json(scene)}};
    document["times_ms"] = {{"load", scene.load_ms},      {"bvh_build", scene.bvh_build_ms}, {"setup", result.setup_ms},
                            {"upload", result.upload_ms}, {"render", result.render_ms},      {"write", times.write_ms},
                            {"total", times.total_ms}};
    document["rays"] = rays_json(result);
    document["mrays_per_s"] = mrays_per_s(result);
    document["samples"] = counter(result.counters, Counter::FinishedPaths);
    document["samples_per_pixel"] = mean_spp(result);
    document["counters"] = counters_json(result.counters);
    document["figures"] = figures_json(result.figures);
    document["group_times"] = groups_json(result.record, request.print_statistics);
    document["launches"] = result.num_launches;
    document["slots"] = result.num_slots;
    document["groups"] = result.num_groups;
    document["batch"] = result.batch;
    document["memory"] = {{"plan", memory_json(result.memory_plan)},
                          {"plan_bytes", total_bytes(result.memory_plan)},
                          {"allocated_bytes", result.memory_allocated_bytes},
                          {"context_bytes", result.memory_context_bytes}};
    document["warnings"] = result.warnings;
    return document;
}

std::map<std::string, std::string> image_attributes(const RenderRequest& request, const SceneInfo& scene,
                                                    const RenderResult& result) {
    const RenderOptions& o = request.render;
    return {{"software", "warpath " + version()},
            {"scene", request.scene.string()},
            {"camera", format_camera(scene.camera)},
            {"size", std::to_string(o.width) + "x" + std::to_string(o.height)},
            {"spp", std::to_string(o.spp)},
            {"samples_finished", std::to_string(counter(result.counters, Counter::FinishedPaths))},
            {"stopped", result.stopped ? "yes" : "no"},
            {"incomplete", result.incomplete ? "yes" : "no"},
            {"max_depth", std::to_string(o.max_depth)},
            {"seed", std::to_string(o.seed)},
            {"sampler", o.sampler},
            {"filter", o.filter},
            {"scheduler", result.scheduler},
            {"backend", result.backend},
            {"device", result.device},
            {"counters", counters_text(result.counters)}};
}

}  // namespace warpath::cli
