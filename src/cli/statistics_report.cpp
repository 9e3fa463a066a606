#include "cli/statistics_report.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace warpath::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string line(const CounterInfo& info, const std::string& value) {
    char text[256];
    std::snprintf(text, sizeof text, "%-20s %16s %-9s %s", info.name, value.c_str(), info.unit, info.meaning);
    return text;
}

std::string decimal(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4f", value);
    return text;
}

double ms(uint64_t ns) { return static_cast<double>(ns) * 1e-6; }

/// First and last work, busy and idle time; sums of times.
GroupTimes joined(const GroupTimes& a, const GroupTimes& b) {
    GroupTimes both = a;
    both.first_work_ns = std::min(a.first_work_ns, b.first_work_ns);
    both.last_work_ns = std::max(a.last_work_ns, b.last_work_ns);
    both.busy_ns += b.busy_ns;
    both.idle_ns += b.idle_ns;
    both.num_runs += b.num_runs;
    return both;
}

void add_columns(Json& columns, const GroupTimes& times) {
    columns["first_work_ms"].push_back(ms(times.first_work_ns));
    columns["last_work_ms"].push_back(ms(times.last_work_ns));
    columns["busy_ms"].push_back(ms(times.busy_ns));
    columns["idle_ms"].push_back(ms(times.idle_ns));
    columns["runs"].push_back(times.num_runs);
}

Json by_sm(const FrameRecord& record) {
    std::map<uint32_t, GroupTimes> sms;
    for (const GroupTimes& group : record.groups) {
        const auto [at, is_new] = sms.try_emplace(group.sm, group);
        if (!is_new) at->second = joined(at->second, group);
    }
    Json columns = Json::object();
    for (const auto& [sm, times] : sms) {
        columns["sm"].push_back(sm);
        add_columns(columns, times);
    }
    return columns;
}

Json by_group(const FrameRecord& record) {
    Json columns = Json::object();
    for (const GroupTimes& group : record.groups) {
        columns["sm"].push_back(group.sm);
        columns["slot"].push_back(group.slot);
        columns["block"].push_back(group.block);
        add_columns(columns, group);
    }
    return columns;
}

}  // namespace

std::vector<std::string> statistics_lines(const RenderResult& result) {
    std::vector<std::string> lines;
    for (size_t i = 0; i < num_counters; ++i) lines.push_back(line(counter_infos[i], std::to_string(result.counters[i])));
    for (size_t i = 0; i < num_figures; ++i) lines.push_back(line(figure_infos[i], decimal(result.figures[i])));
    return lines;
}

Json figures_json(const Figures& figures) {
    Json all = Json::object();
    for (size_t i = 0; i < num_figures; ++i) all[figure_infos[i].name] = figures[i];
    return all;
}

Json groups_json(const FrameRecord& record, bool each_group) {
    Json json = {{"lanes", record.group_size},    {"places", record.groups.size()}, {"span_ms", ms(record.span_ns)},
                 {"gaps_ms", ms(record.gap_ns)}, {"by_sm", by_sm(record)}};
    if (each_group) json["by_place"] = by_group(record);
    return json;
}

}  // namespace warpath::cli
