#include "api/frame_record.h"

#include <algorithm>

namespace warpath {

namespace {

constexpr const char* stage_names[idle_event + 1] = {"generate", "intersect", "shade", "occlude", "idle"};
constexpr const char* queue_names[num_queue_ids] = {"trace", "shade", "free"};
constexpr const char* call_kinds[num_host_calls] = {"phase", "launch", "wait", "to device", "to host"};

std::vector<BusyStep> busy_steps(const GroupAccounts& accounts) {
    std::vector<BusyStep> steps;
    uint32_t num_busy = 0;
    for (uint32_t bin = 0; bin < num_time_bins; ++bin) {
        uint32_t change = 0;
        for (uint32_t copy = 0; copy < accounts.num_change_copies; ++copy)
            change += accounts.changes[static_cast<size_t>(copy) * num_time_bins + bin];
        if (change == 0) continue;
        num_busy += change;
        steps.push_back({time_bin_start_ns(bin), num_busy});
    }
    return steps;
}

/// One place's events: batches and idle spells in order of time, and depths apart.
void add_events(const GroupAccounts& accounts, uint32_t place, int64_t shift_ns, Timeline& timeline) {
    const TraceEvent* events = accounts.events.data() + static_cast<size_t>(place) * accounts.events_per_place;
    const uint32_t written = accounts.num_events[place], kept = std::min(written, accounts.events_per_place);
    timeline.num_dropped_batches += written - kept;
    for (uint32_t i = 0; i < kept; ++i) {
        const TraceEvent& event = events[i];
        const int64_t begin = static_cast<int64_t>(event.begin_ns) + shift_ns, end = static_cast<int64_t>(event.end_ns) + shift_ns;
        if (event.kind >= depth_event)
            timeline.depths.push_back({queue_names[std::min(event.kind - depth_event, num_queue_ids - 1)], begin, event.items});
        else
            timeline.batches.push_back({place / accounts.places_per_sm, place % accounts.places_per_sm, stage_names[event.kind], begin, end,
                                        event.items});
    }
}

}  // namespace

FrameRecord frame_record(const RunOutcome& outcome) {
    const GroupAccounts& accounts = outcome.accounts;
    FrameRecord record;
    record.group_size = outcome.group_size;
    record.frame_ns = outcome.frame_end_ns - outcome.frame_begin_ns;
    if (accounts.frame.empty() || accounts.frame[origin_ns] == 0) return record;
    const uint64_t origin = accounts.frame[origin_ns];
    const auto since_origin = [&](uint64_t time) { return time > origin ? time - origin : 0; };
    record.span_ns = since_origin(accounts.frame[last_end_ns]);
    record.gap_ns = accounts.frame[gap_ns];
    record.busy = busy_steps(accounts);
    for (uint32_t place = 0; place < accounts.num_places; ++place) {
        const uint64_t* words = accounts.places.data() + static_cast<size_t>(place) * num_place_words;
        if (words[num_runs] == 0) continue;
        record.groups.push_back({place / accounts.places_per_sm, place % accounts.places_per_sm, static_cast<uint32_t>(words[last_block]),
                                 since_origin(first_work_ns(words)), since_origin(words[last_work_ns]), words[busy_ns], words[idle_ns],
                                 words[num_runs]});
    }
    return record;
}

Counters all_counters(const RunOutcome& outcome, const FrameRecord& record) {
    Counters counters{};
    std::copy_n(outcome.counters.begin(), num_kernel_counters, counters.begin());
    const auto at = [&](Counter id) -> uint64_t& { return counters[static_cast<size_t>(id)]; };
    for (const GroupTimes& group : record.groups) {
        at(Counter::GroupRuns) += group.num_runs;
        at(Counter::BusyTime) += group.busy_ns;
        at(Counter::IdleTime) += group.idle_ns;
    }
    at(Counter::Launches) = outcome.schedule.num_launches;
    at(Counter::LaunchTime) = outcome.host.time_ns(HostCall::Launch);
    at(Counter::WaitTime) = outcome.frame_wait_ns;
    at(Counter::BytesToDevice) = outcome.host.bytes(HostCall::ToDevice);
    at(Counter::BytesToHost) = outcome.host.bytes(HostCall::ToHost);
    return counters;
}

FrameTiming frame_timing(const RunOutcome& outcome, const FrameRecord& record) {
    const Counters counters = all_counters(outcome, record);
    return {outcome.time_ms, outcome.schedule.num_launches, outcome.schedule.aborted, counters, derive_figures(counters, record)};
}

Timeline frame_timeline(const RunOutcome& outcome) {
    const GroupAccounts& accounts = outcome.accounts;
    Timeline timeline;
    timeline.has_sms = accounts.places_per_sm < accounts.num_places;
    timeline.clock_error_ns = accounts.clock_error_ns;
    timeline.num_dropped_host_calls = outcome.host.num_dropped();
    const int64_t begin = static_cast<int64_t>(outcome.frame_begin_ns);
    for (uint32_t place = 0; place < accounts.num_places && accounts.events_per_place > 0; ++place)
        add_events(accounts, place, accounts.clock_offset_ns - begin, timeline);
    std::stable_sort(timeline.depths.begin(), timeline.depths.end(), [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
    for (const HostEvent& event : outcome.host.events())
        timeline.host_calls.push_back({event.name, call_kinds[static_cast<size_t>(event.call)], static_cast<int64_t>(event.begin_ns) - begin,
                                       static_cast<int64_t>(event.end_ns) - begin, event.bytes});
    return timeline;
}

}  // namespace warpath
