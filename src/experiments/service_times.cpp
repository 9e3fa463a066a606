#include "experiments/service_times.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "experiments/environment.h"
#include "experiments/statistics.h"
#include "warpath/file.h"
#include "warpath/scene.h"

namespace warpath::experiments {

namespace {

nlohmann::json quantiles(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return {{"p50", percentile(values, 50)}, {"p99", percentile(values, 99)}, {"p99.9", percentile(values, 99.9)}, {"least", values.front()},
            {"most", values.back()}, {"num", values.size()}};
}

}  // namespace

bool run_service(const ServiceRequest& request) {
    LoadOptions load;
    load.bvh = request.bvh;
    const LoadedScene scene = LoadedScene::load(request.scene, load);
    RenderOptions options = request.options;
    options.width = options.height = 256;
    options.spp = request.num_passes;
    const Renderer renderer(scene, options);
    nlohmann::json report;
    report["scene"] = request.scene.filename().string();
    report["device"] = renderer.device();
    report["build"] = build_description();

    options.scheduler = "resident";
    PreparedFrame service = renderer.prepare(options);
    std::fprintf(stderr, "timing empty tasks\n");
    const ServiceTimes times = service.time_service(request.num_tasks);
    report["fence_us"] = quantiles(times.fence_us);
    report["started_us"] = quantiles(times.started_us);
    report["empty_us"] = quantiles(times.empty_us);
    report["handover_ns"] = times.handover_ns;
    report["ahead"] = {{"tasks", times.num_ahead}, {"lost", times.num_lost}, {"ms", times.ahead_ms}};

    std::fprintf(stderr, "timing progressive frames\n");
    options.scheduler = "persistent";
    PreparedFrame launched = renderer.prepare(options);
    std::vector<double> service_ms, launched_ms;
    uint64_t service_film = 0, launched_film = 0;
    for (uint32_t i = 0; i <= request.repeats; ++i) {
        const double a = service.run_passes(request.num_passes);
        service_film = service.film_checksum();
        const double b = launched.run_passes(request.num_passes);
        launched_film = launched.film_checksum();
        if (i == 0) continue;  // warm-up
        service_ms.push_back(a), launched_ms.push_back(b);
    }
    report["passes"] = {{"num", request.num_passes}, {"size", "256x256"}, {"max_depth", options.max_depth}, {"resident_ms", service_ms},
                        {"persistent_ms", launched_ms}, {"ratio", median(launched_ms) / median(service_ms)},
                        {"identical", service_film == launched_film}};
    write_file(request.output, report.dump(2) + "\n");
    std::printf("empty task: p50 %.2f us, p99 %.2f us; hand-over %.0f ns; %llu tasks posted ahead, %llu lost\n",
                report["fence_us"]["p50"].get<double>(), report["fence_us"]["p99"].get<double>(), times.handover_ns,
                static_cast<unsigned long long>(times.num_ahead), static_cast<unsigned long long>(times.num_lost));
    std::printf("progressive 256x256: resident %.3f ms a frame, persistent %.3f ms, ratio %.3f, films %s\n",
                median(service_ms) / request.num_passes, median(launched_ms) / request.num_passes, report["passes"]["ratio"].get<double>(),
                service_film == launched_film ? "identical" : "DIFFER");
    return times.num_lost == 0 && service_film == launched_film;
}

}  // namespace warpath::experiments
