#include "experiments/rendered_cell.h"

#include <algorithm>

#include "backends/cuda/carve_out.h"
#include "experiments/time_shares.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

constexpr size_t points_over_time = 60;

double get(const Counters& counters, Counter id) { return static_cast<double>(counters[static_cast<size_t>(id)]); }

double num_rays(const Counters& counters) {
    return get(counters, Counter::CameraRays) + get(counters, Counter::ExtensionRays) + get(counters, Counter::ShadowRays);
}

Json counters_json(const Counters& counters) {
    Json all = Json::object();
    for (size_t i = 0; i < num_counters; ++i)
        if (counters[i] != 0) all[counter_infos[i].name] = counters[i];
    return all;
}

Json figures_json(const Figures& figures) {
    Json all = Json::object();
    for (size_t i = 0; i < num_figures; ++i) all[figure_infos[i].name] = figures[i];
    return all;
}

/// One variant's frame, and its last run.
struct RenderedVariant {
    const ExperimentContext* context = nullptr;
    PreparedFrame frame;
    std::optional<int> carve_out;
    std::vector<double> times_ms;

    Sample run() {
        std::optional<CarveOut> preference;
        if (carve_out) preference.emplace(*carve_out);
        const FrameTiming timing = frame.run(&context->stop_flag());
        Sample sample;
        if (context->stop_flag()) return sample;  // unfinished; nobody keeps it
        sample.value = timing.time_ms;
        if (timing.aborted)
            sample.failure = "its watchdog gave up";
        else
            sample.image = frame.film_checksum();
        times_ms.push_back(timing.time_ms);
        return sample;
    }
    /// Curves are most of a row, so they are kept where the report draws them.
    bool is_drawn(const std::string& field) const {
        const std::vector<Plot>& plots = context->experiment().plots;
        return std::any_of(plots.begin(), plots.end(), [&](const Plot& plot) { return plot.y == field; });
    }
    Json details() {
        const RenderResult result = frame.numbers();
        const double ms = median(times_ms);
        const auto state = context->telemetry().state();
        const double ns_per_tick = !context->on_cuda() ? 1.0 : state && state->sm_mhz > 0 ? 1e3 / state->sm_mhz : 0.0;
        uint64_t bytes = 0;
        for (const MemoryItem& item : frame.memory_plan()) bytes += item.size_bytes;
        Json data = {{"mrays_per_s", ms > 0 ? 1e-3 * num_rays(result.counters) / ms : 0},
                {"mpaths_per_s", ms > 0 ? 1e-3 * get(result.counters, Counter::FinishedPaths) / ms : 0},
                {"scheduler", result.scheduler},
                {"slots", result.num_slots},
                {"groups", result.num_groups},
                {"batch", result.batch},
                {"launches", result.num_launches},
                {"memory_bytes", bytes},
                {"rays_by_bounce", result.rays_by_bounce},
                {"shadow_rays_by_bounce", result.shadow_rays_by_bounce},
                {"counters", counters_json(result.counters)},
                {"figures", figures_json(result.figures)},
                {"shares", time_shares(result.counters, result.record, ns_per_tick)}};
        if (is_drawn("data.busy")) data["busy"] = busy_over_time(result.record, points_over_time);
        if (is_drawn("data.busy_time")) data["busy_time"] = busy_quantiles(result.record);
        return data;
    }
};

/// Prepares a variant's frame, or says why there is none.
Variant prepare(ExperimentContext& context, LoadedView& view, const RenderVariant& wanted) {
    Variant variant;
    variant.key = wanted.key;
    std::optional<CarveOut> preference;
    if (wanted.carve_out) preference.emplace(*wanted.carve_out);
    try {
        const auto rendered = std::make_shared<RenderedVariant>(
            RenderedVariant{&context, view.renderer(wanted.options.blocks_per_sm).prepare(wanted.options), wanted.carve_out, {}});
        variant.run = [rendered] { return rendered->run(); };
        variant.details = [rendered] { return rendered->details(); };
    } catch (const Error& error) {
        if (error.code() != ErrorCode::OutOfMemory && error.code() != ErrorCode::BadOption) throw;
        variant.left_out = error.what();
    } catch (const std::bad_alloc&) {
        variant.left_out = "the host has no room for the frame";
    }
    return variant;
}

}  // namespace

const Renderer& LoadedView::renderer(uint32_t blocks_per_sm) {
    std::unique_ptr<Renderer>& renderer = renderers_[blocks_per_sm];
    if (!renderer) {
        RenderOptions options = context_.plan().render_options();
        options.blocks_per_sm = blocks_per_sm;
        renderer = std::make_unique<Renderer>(context_.scene(view_), options);
    }
    return *renderer;
}

std::vector<Outcome> measure_renders(ExperimentContext& context, LoadedView& view, const Json& key, const std::vector<RenderVariant>& variants,
                                     uint32_t repeats) {
    Cell cell;
    cell.key = key;
    cell.repeats = repeats;
    for (const RenderVariant& variant : variants) {
        context.check_stop();
        if (context.is_complete(key, variant.key) || context.seconds_left() <= 0)  // measure() will not run it
            cell.variants.push_back({.key = variant.key, .run = nullptr});
        else
            cell.variants.push_back(prepare(context, view, variant));
    }
    return context.measure(cell);
}

std::vector<RenderVariant> scheduler_variants(const Plan& plan, const RenderOptions& options) {
    std::vector<RenderVariant> variants;
    for (const std::string& name : plan.schedulers) {
        RenderVariant& variant = variants.emplace_back(RenderVariant{{{"scheduler", name}}, options, {}});
        variant.options.scheduler = name;
    }
    return variants;
}

}  // namespace warpath::experiments
