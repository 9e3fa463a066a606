#include <algorithm>
#include <cmath>

#include "warpath/statistics.h"

namespace warpath {

namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Lanes at work of those there were.
double efficiency(const Counters& counters, Counter lane_steps, Counter group_steps, uint32_t group_size) {
    const double steps = static_cast<double>(counters[static_cast<size_t>(group_steps)]);
    return steps > 0 ? static_cast<double>(counters[static_cast<size_t>(lane_steps)]) / (steps * group_size) : 1;
}

struct BusyTimes {
    double mean = 0, largest = 0, deviation = 0, total = 0, idle = 0;
};

BusyTimes busy_times(const std::vector<GroupTimes>& groups) {
    BusyTimes times;
    if (groups.empty()) return times;
    const double n = static_cast<double>(groups.size());
    for (const GroupTimes& group : groups) {
        times.total += static_cast<double>(group.busy_ns);
        times.idle += static_cast<double>(group.idle_ns);
        times.largest = std::max(times.largest, static_cast<double>(group.busy_ns));
    }
    times.mean = times.total / n;
    double squares = 0;
    for (const GroupTimes& group : groups) squares += std::pow(static_cast<double>(group.busy_ns) - times.mean, 2);
    times.deviation = std::sqrt(squares / n);
    return times;
}

/// Time with fewer than `part` of the largest number of busy groups, up to the record's end.
double time_under(const FrameRecord& record, double part) {
    uint32_t most = 0;
    for (const BusyStep& step : record.busy) most = std::max(most, step.num_busy);
    double time = 0;
    for (size_t i = 0; i < record.busy.size(); ++i) {
        const uint64_t begin = std::min(record.busy[i].time_ns, record.span_ns);
        const uint64_t end = i + 1 < record.busy.size() ? std::min(record.busy[i + 1].time_ns, record.span_ns) : record.span_ns;
        if (record.busy[i].num_busy < part * most) time += static_cast<double>(end - begin);
    }
    return time;
}

double tail_ns(const FrameRecord& record) {
    uint64_t first_out = record.span_ns;
    for (const GroupTimes& group : record.groups) first_out = std::min(first_out, group.last_work_ns);
    return static_cast<double>(record.span_ns - first_out);
}

}  // namespace

Figures derive_figures(const Counters& counters, const FrameRecord& record) {
    Figures figures{};
    const auto set = [&](Figure id, double value) { figures[static_cast<size_t>(id)] = value; };
    const double span = static_cast<double>(record.span_ns), frame = static_cast<double>(record.frame_ns);
    set(Figure::NodeEfficiency, efficiency(counters, Counter::NodeSteps, Counter::NodeGroupSteps, record.group_size));
    set(Figure::TriangleEfficiency, efficiency(counters, Counter::TriangleTests, Counter::TriangleGroupTests, record.group_size));
    set(Figure::ShadeEfficiency, efficiency(counters, Counter::ShadeItems, Counter::ShadeBatches, record.group_size));
    set(Figure::GenerateEfficiency, efficiency(counters, Counter::GenerateItems, Counter::GenerateBatches, record.group_size));
    const BusyTimes busy = busy_times(record.groups);
    set(Figure::Imbalance, busy.mean > 0 ? busy.largest / busy.mean - 1 : 0);
    set(Figure::BusyVariation, share(busy.deviation, busy.mean));
    set(Figure::IdleShare, share(busy.idle, busy.idle + busy.total));
    set(Figure::Tail, tail_ns(record));
    set(Figure::TailShare, share(tail_ns(record), span));
    set(Figure::Under90, share(time_under(record, 0.9), span));
    set(Figure::Under50, share(time_under(record, 0.5), span));
    const double working = span - static_cast<double>(record.gap_ns);
    set(Figure::LaunchOverhead, span > 0 ? std::clamp(share(frame - working, frame), 0.0, 1.0) : 0);
    set(Figure::HostLaunchShare, share(static_cast<double>(counters[static_cast<size_t>(Counter::LaunchTime)]), frame));
    set(Figure::HostWaitShare, share(static_cast<double>(counters[static_cast<size_t>(Counter::WaitTime)]), frame));
    return figures;
}

}  // namespace warpath
