#include "experiments/time_shares.h"

#include <algorithm>
#include <cmath>

#include "experiments/statistics.h"

namespace warpath::experiments {
namespace {

double get(const Counters& counters, Counter id) { return static_cast<double>(counters[static_cast<size_t>(id)]); }

/// Lanes at work of those that went along, over node steps, triangle tests and shading items, each weighted by how often a group made one.
double lanes_at_work(const Counters& counters, uint32_t group_size) {
    const double lanes =
        get(counters, Counter::NodeSteps) + get(counters, Counter::TriangleTests) + get(counters, Counter::ShadeItems);
    const double groups = get(counters, Counter::NodeGroupSteps) + get(counters, Counter::TriangleGroupTests) + get(counters, Counter::ShadeBatches);
    return groups > 0 ? std::min(1.0, lanes / (groups * group_size)) : 1.0;
}

}  // namespace

Json time_shares(const Counters& counters, const FrameRecord& record, double ns_per_tick) {
    if (record.groups.empty() || record.frame_ns == 0) return Json::object();
    const double places = static_cast<double>(record.groups.size());
    const double frame = static_cast<double>(std::max(record.frame_ns, record.span_ns));
    const double working = static_cast<double>(record.span_ns - std::min(record.gap_ns, record.span_ns));
    double busy = 0, idle = 0, tail = 0;
    for (const GroupTimes& group : record.groups) {
        const double own_busy = std::min(static_cast<double>(group.busy_ns), working);
        const double without_work = working - own_busy;
        const double after = static_cast<double>(record.span_ns - std::min(group.last_work_ns, record.span_ns));
        busy += own_busy;
        tail += std::min(after, without_work);
        idle += without_work - std::min(after, without_work);
    }
    const double total = frame * places;
    const double fetch = std::min(busy, get(counters, Counter::GrabTicks) * ns_per_tick);
    const double divergence = (busy - fetch) * (1 - lanes_at_work(counters, record.group_size));
    return {{"useful", to_digits(6, (busy - fetch - divergence) / total)},
            {"divergence", to_digits(6, divergence / total)},
            {"fetch", to_digits(6, fetch / total)},
            {"idle", to_digits(6, idle / total)},
            {"tail", to_digits(6, tail / total)},
            {"launch", to_digits(6, (frame - working) / frame)}};
}

Json busy_over_time(const FrameRecord& record, size_t max_points) {
    Json times = Json::array(), shares = Json::array();
    if (record.busy.empty() || record.groups.empty()) return {{"time_ms", times}, {"share", shares}};
    const double places = static_cast<double>(record.groups.size());
    size_t step = 0;
    for (size_t i = 0; i <= max_points; ++i) {
        const uint64_t time = record.span_ns * i / max_points;
        while (step + 1 < record.busy.size() && record.busy[step + 1].time_ns <= time) ++step;
        const bool begun = record.busy[step].time_ns <= time;
        times.push_back(to_digits(4, 1e-6 * static_cast<double>(time)));
        shares.push_back(begun ? to_digits(4, record.busy[step].num_busy / places) : 0);
    }
    return {{"time_ms", times}, {"share", shares}};
}

Json busy_quantiles(const FrameRecord& record) {
    std::vector<double> busy;
    double sum = 0;
    for (const GroupTimes& group : record.groups) busy.push_back(static_cast<double>(group.busy_ns)), sum += busy.back();
    for (double& value : busy) value *= sum > 0 ? static_cast<double>(busy.size()) / sum : 0;
    return quantiles(std::move(busy));
}

Json quantiles(std::vector<double> values) {
    Json shares = Json::array(), at = Json::array();
    if (values.empty()) return {{"p", shares}, {"value", at}};
    std::sort(values.begin(), values.end());
    std::vector<double> wanted;
    for (int i = 0; i <= 50; ++i) wanted.push_back(i / 50.0);
    for (const double share : {0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999}) wanted.push_back(share);
    std::sort(wanted.begin(), wanted.end());
    for (const double share : wanted) {
        const double rank = std::ceil(share * static_cast<double>(values.size()));
        const size_t index = std::min(values.size(), std::max<size_t>(1, static_cast<size_t>(rank))) - 1;
        shares.push_back(share);
        at.push_back(to_digits(5, values[index]));
    }
    return {{"p", shares}, {"value", at}};
}

}  // namespace warpath::experiments
