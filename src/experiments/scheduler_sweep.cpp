#include "experiments/scheduler_sweep.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>

#include "experiments/environment.h"
#include "experiments/statistics.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

std::string cell_text(const SweepCell& cell) {
    return std::to_string(cell.width) + "x" + std::to_string(cell.height) + ", " + std::to_string(cell.spp) +
           " spp, depth " + std::to_string(cell.max_depth);
}

Json cell_json(const View& view, const SweepCell& cell) {
    return {{"view", view.name},
            {"width", cell.width},
            {"height", cell.height},
            {"spp", cell.spp},
            {"max_depth", cell.max_depth}};
}

Json counters_json(const Counters& counters) {
    Json all = Json::object();
    for (size_t i = 0; i < num_counters; ++i) all[counter_infos[i].name] = counters[i];
    return all;
}

Json figures_json(const Figures& figures) {
    Json all = Json::object();
    for (size_t i = 0; i < num_figures; ++i) all[figure_infos[i].name] = figures[i];
    return all;
}

std::string hexadecimal(uint64_t value) {
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

/// One scheduler in one cell.
struct Contender {
    std::string scheduler;
    std::optional<PreparedFrame> frame;
    std::string left_out;  ///< why there is no frame
    std::vector<double> times_ms;
    FrameTiming last;
    uint32_t num_aborted = 0;
    uint64_t checksum = 0;
    bool equals_first = true;

    Json json() const;
};

Json Contender::json() const {
    if (!frame) return {{"scheduler", scheduler}, {"left_out", left_out}};
    const auto counter = [&](Counter id) { return static_cast<double>(last.counters[static_cast<size_t>(id)]); };
    const double median_ms = median(times_ms), per_second = median_ms > 0 ? 1e-3 / median_ms : 0;  // of millions
    const double rays = counter(Counter::CameraRays) + counter(Counter::ExtensionRays) + counter(Counter::ShadowRays);
    uint64_t bytes = 0;
    for (const MemoryItem& item : frame->memory_plan()) bytes += item.size_bytes;
    return {{"scheduler", scheduler},
            {"median_ms", median_ms},
            {"p50_ms", percentile(times_ms, 50)},
            {"p95_ms", percentile(times_ms, 95)},
            {"p99_ms", percentile(times_ms, 99)},
            {"min_ms", percentile(times_ms, 0)},
            {"max_ms", percentile(times_ms, 100)},
            {"msamples_per_s", counter(Counter::FinishedPaths) * per_second},
            {"mrays_per_s", rays * per_second},
            {"launches", last.num_launches},
            {"aborted", num_aborted},
            {"checksum", hexadecimal(checksum)},
            {"equals_first", equals_first},
            {"memory_plan_bytes", bytes},
            {"times_ms", times_ms},
            {"counters", counters_json(last.counters)},
            {"figures", figures_json(last.figures)}};
}

class Sweep {
  public:
    explicit Sweep(const SweepRequest& request) : request_(request), start_(Clock::now()) {
        document_["environment"] = {
            {"date", date_text()}, {"version", version()}, {"build", build_description()}, {"commit", request.commit}};
        const RenderOptions& o = request.options;
        document_["settings"] = {{"repeats", request.repeats},
                                 {"warm_up", request.warm_up},
                                 {"limit_s", request.limit_s},
                                 {"seed", o.seed},
                                 {"threads", o.num_threads},
                                 {"pool", o.pool},
                                 {"batch", o.batch},
                                 {"blocks_per_sm", o.blocks_per_sm},
                                 {"block_size", o.block_size},
                                 {"refill_below", o.refill_below},
                                 {"bvh", bvh_quality_name(request.bvh)}};
        for (const char* list : {"scenes", "cells", "left_out"}) document_[list] = Json::array();
    }

    bool run() {
        for (const View& view : request_.views) measure_view(view);
        write();
        for (const Json& cell : document_["left_out"]) std::fprintf(stderr, "left out: %s\n", cell.dump().c_str());
        return ok_;
    }

  private:
    void measure_view(const View& view) {
        if (out_of_time()) {
            for (const SweepCell& cell : request_.cells) leave_out(view, cell);
            return;
        }
        LoadOptions load = view.load;
        load.num_threads = request_.options.num_threads;
        load.bvh = request_.bvh;
        const LoadedScene scene = LoadedScene::load(view.scene, load);
        const Renderer renderer(scene, request_.options);
        document_["environment"]["backend"] = renderer.backend();
        document_["environment"]["device"] = renderer.device();
        look_at_clocks(renderer, "before " + view.name);
        const SceneInfo& info = scene.info();
        std::fprintf(stderr, "%s: %llu triangles, loaded in %.0f ms, uploaded in %.0f ms\n", view.name.c_str(),
                     static_cast<unsigned long long>(info.num_triangles), info.load_ms, renderer.upload_ms());
        document_["scenes"].push_back({{"view", view.name},
                                       {"scene", view.scene.filename().string()},
                                       {"triangles", info.num_triangles},
                                       {"bvh_sah_cost", info.bvh_sah_cost},
                                       {"load_ms", info.load_ms},
                                       {"upload_ms", renderer.upload_ms()}});
        for (const SweepCell& cell : request_.cells) {
            if (out_of_time())
                leave_out(view, cell);
            else
                measure_cell(renderer, view, cell);
            write();
        }
        look_at_clocks(renderer, "after " + view.name);
    }
    void measure_cell(const Renderer& renderer, const View& view, const SweepCell& cell) {
        std::vector<Contender> contenders = prepare(renderer, cell);
        for (uint32_t round = 0; round < request_.warm_up; ++round)
            for (Contender& contender : contenders)
                if (contender.frame) contender.frame->run();
        uint32_t num_rounds = 0;
        while (num_rounds < request_.repeats && (num_rounds == 0 || !out_of_time())) {
            for (Contender& contender : contenders) time_run(contender);
            ++num_rounds;
        }
        check_films(contenders);
        Json json = cell_json(view, cell);
        json["repeats"] = num_rounds;
        for (const Contender& contender : contenders) json["schedulers"].push_back(contender.json());
        document_["cells"].push_back(json);
        report(view, cell, contenders);
    }
    std::vector<Contender> prepare(const Renderer& renderer, const SweepCell& cell) {
        RenderOptions options = request_.options;
        options.width = cell.width, options.height = cell.height, options.spp = cell.spp,
        options.max_depth = cell.max_depth;
        std::vector<Contender> contenders;
        for (const std::string& name : request_.schedulers) {
            Contender& contender = contenders.emplace_back();
            contender.scheduler = options.scheduler = name;
            try {
                contender.frame.emplace(renderer.prepare(options));
            } catch (const Error& error) {
                if (error.code() != ErrorCode::OutOfMemory) throw;
                contender.left_out = error.what();
            } catch (const std::bad_alloc&) {
                contender.left_out = "the host has no room for the frame";
            }
        }
        return contenders;
    }
    void time_run(Contender& contender) {
        if (!contender.frame) return;
        contender.last = contender.frame->run();
        contender.num_aborted += contender.last.aborted;
        contender.times_ms.push_back(contender.last.time_ms);
        if (contender.last.aborted) ok_ = false;
    }
    void check_films(std::vector<Contender>& contenders) {
        const Contender* first = nullptr;
        for (Contender& contender : contenders) {
            if (!contender.frame) continue;
            contender.checksum = contender.frame->film_checksum();
            if (!first) first = &contender;
            contender.equals_first = contender.checksum == first->checksum;
            ok_ = ok_ && contender.equals_first;
        }
    }
    /// Outside of timed runs: the question takes the driver a while.
    void look_at_clocks(const Renderer& renderer, const std::string& when) {
        if (renderer.backend() == "cuda")
            document_["environment"]["nvidia_smi"].push_back({{"when", when}, {"devices", nvidia_smi()}});
    }
    bool out_of_time() const {
        return request_.limit_s > 0 && std::chrono::duration<double>(Clock::now() - start_).count() > request_.limit_s;
    }
    void leave_out(const View& view, const SweepCell& cell) { document_["left_out"].push_back(cell_json(view, cell)); }
    void report(const View& view, const SweepCell& cell, const std::vector<Contender>& contenders) {
        std::string text;
        for (const Contender& contender : contenders) {
            char part[96];
            if (contender.frame)
                std::snprintf(part, sizeof part, " %s %.3f ms%s", contender.scheduler.c_str(),
                              median(contender.times_ms), contender.equals_first ? "," : " (another image!),");
            else
                std::snprintf(part, sizeof part, " %s left out,", contender.scheduler.c_str());
            text += part;
        }
        if (!text.empty()) text.pop_back();
        const size_t num_cells = request_.views.size() * request_.cells.size();
        std::fprintf(stderr, "[%zu/%zu] %s, %s:%s\n", document_["cells"].size() + document_["left_out"].size(),
                     num_cells, view.name.c_str(), cell_text(cell).c_str(), text.c_str());
    }
    void write() const { write_file(request_.output, document_.dump(1) + "\n"); }

    const SweepRequest& request_;
    Clock::time_point start_;
    Json document_;
    bool ok_ = true;
};

}  // namespace

bool run_sweep(const SweepRequest& request) { return Sweep(request).run(); }

}  // namespace warpath::experiments
