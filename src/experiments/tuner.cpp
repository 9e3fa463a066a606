#include "experiments/tuner.h"

#include <algorithm>

namespace warpath::experiments {
namespace {

/// One thing to choose, with the values that are tried. 0 is what the scheduler chooses itself.
struct Coordinate {
    const char* name;
    uint32_t RenderOptions::*option;
    std::vector<uint32_t> values;
};

std::vector<Coordinate> coordinates(bool on_cuda) {
    if (!on_cuda)
        return {{"batch", &RenderOptions::batch, {0, 1, 8, 32, 128, 512}}, {"pool", &RenderOptions::pool, {0, 64, 512, 4096, 32768}}};
    return {{"block_size", &RenderOptions::block_size, {0, 64, 128, 256, 512, 1024}},
            {"blocks", &RenderOptions::blocks_per_sm, {0, 1, 2, 4, 8, 16}},
            {"refill_below", &RenderOptions::refill_below, {0, 8, 16, 20, 24, 28, 32}},
            {"batch", &RenderOptions::batch, {0, 32, 64, 128, 256, 512, 1024}},
            {"pool", &RenderOptions::pool, {0, 1u << 18, 1u << 20, 1u << 22, 1u << 23}}};
}

constexpr uint32_t passes = 2, first_repeats = 3;
constexpr double share_for_the_end = 0.25;

class Search {
  public:
    Search(ExperimentContext& context, LoadedView& view, const RenderOptions& defaults, const Json& cell)
        : context_(context), view_(view), defaults_(defaults), best_(defaults), cell_(cell), reserve_s_(share_for_the_end * context.seconds_left()) {}

    Tuned run() {
        for (uint32_t pass = 0; pass < passes; ++pass) {
            const RenderOptions before = best_;
            for (const Coordinate& coordinate : coordinates(context_.on_cuda()))
                if (context_.seconds_left() > reserve_s_) race(coordinate, pass);
            if (schedule_text(before) == schedule_text(best_)) break;
        }
        return judge();
    }

  private:
    /// Leaves the fastest value of a coordinate in best_.
    void race(const Coordinate& coordinate, uint32_t pass) {
        std::vector<uint32_t> values = coordinate.values;
        if (std::find(values.begin(), values.end(), best_.*coordinate.option) == values.end()) values.push_back(best_.*coordinate.option);
        for (uint32_t rung = 0, repeats = first_repeats; values.size() > 1 && context_.seconds_left() > reserve_s_; ++rung, repeats *= 2) {
            const std::vector<Outcome> outcomes = measure(coordinate, values, pass, rung, repeats);
            std::vector<std::pair<double, uint32_t>> ranking;
            for (size_t i = 0; i < values.size(); ++i)
                if (outcomes[i].left_out.empty() && !outcomes[i].values.empty()) ranking.push_back({outcomes[i].median, values[i]});
            if (ranking.empty()) return;
            std::sort(ranking.begin(), ranking.end());
            ranking.resize((ranking.size() + 1) / 2);
            values.clear();
            for (const auto& [ms, value] : ranking) values.push_back(value);
            best_.*coordinate.option = values.front();
        }
    }
    std::vector<Outcome> measure(const Coordinate& coordinate, const std::vector<uint32_t>& values, uint32_t pass, uint32_t rung, uint32_t repeats) {
        Json cell = cell_;
        cell["search"] = coordinate.name, cell["pass"] = pass, cell["rung"] = rung;
        std::vector<RenderVariant> variants;
        for (const uint32_t value : values) {
            RenderOptions options = best_;
            options.*coordinate.option = value;
            variants.push_back({{{"options", schedule_text(options)}}, options, {}});
        }
        return measure_renders(context_, view_, cell, variants, repeats);
    }
    /// The winner against the defaults. A search picks the luckiest of many, so only this comparison counts.
    Tuned judge() {
        Tuned tuned;
        tuned.options = best_;
        tuned.speed_up = {1, 1};
        const bool same = schedule_text(best_) == schedule_text(defaults_);
        std::vector<RenderVariant> variants{{{{"configuration", "default"}}, defaults_, {}}};
        if (!same) variants.push_back({{{"configuration", "tuned"}}, best_, {}});
        const std::vector<Outcome> outcomes = measure_renders(context_, view_, cell_, variants);
        tuned.defaults = outcomes.front();
        if (same) return tuned;
        tuned.tuned = outcomes.back();
        if (!tuned.defaults.complete || !tuned.tuned.complete) {  // too few runs to be sure of anything
            tuned.options = defaults_;
            return tuned;
        }
        tuned.speed_up = ratio_interval(tuned.defaults.values, tuned.tuned.values, context_.seed("judge"));
        if (tuned.speed_up.low <= 1) tuned.options = defaults_;
        return tuned;
    }

    ExperimentContext& context_;
    LoadedView& view_;
    RenderOptions defaults_, best_;
    Json cell_;
    double reserve_s_;
};

}  // namespace

Json schedule_numbers(const RenderOptions& options) {
    return {{"batch", options.batch},
            {"pool", options.pool},
            {"blocks_per_sm", options.blocks_per_sm},
            {"block_size", options.block_size},
            {"refill_below", options.refill_below}};
}

std::string schedule_text(const RenderOptions& options) {
    const Json numbers = schedule_numbers(options);
    std::string text;
    for (const auto& [name, value] : numbers.items())
        if (value != 0) text.append(text.empty() ? "" : ", ").append(name).append(" ").append(value.dump());
    return text.empty() ? "default" : text;
}

Tuned tune(ExperimentContext& context, LoadedView& view, const RenderOptions& defaults, const Json& cell) {
    return Search(context, view, defaults, cell).run();
}

}  // namespace warpath::experiments
