#pragma once

#include <vector>

#include "backends/group_account.h"

namespace warpath {

/// The accounts of one frame in host memory: where groups on the CPU write, and what comes back from a device.
struct GroupAccounts {
    std::vector<uint64_t> frame, places;
    std::vector<uint32_t> changes, num_events;
    std::vector<TraceEvent> events;
    uint32_t num_places = 0, num_change_copies = 1, events_per_place = 0;
    uint32_t places_per_sm = 1;      ///< all of them where there are no SMs
    int64_t clock_offset_ns = 0;     ///< what to add to ctx.clock_ns() to get the host's steady clock
    uint64_t clock_error_ns = 0;     ///< by how much that may be wrong

    /// Zeroes everything. events: 0 for no timeline.
    void resize(uint32_t places_wanted, uint32_t copies, uint32_t events_wanted) {
        places_per_sm = num_places = places_wanted, num_change_copies = copies, events_per_place = events_wanted;
        frame.assign(num_frame_words, 0);
        places.assign(static_cast<size_t>(num_places) * num_place_words, 0);
        changes.assign(static_cast<size_t>(num_change_copies) * num_time_bins, 0);
        events.assign(static_cast<size_t>(num_places) * events_per_place, {});
        num_events.assign(events_per_place ? num_places : 0, 0);
    }
    static uint64_t size_bytes(uint64_t num_places, uint64_t copies, uint64_t events_per_place) {
        return sizeof(uint64_t) * (num_frame_words + num_places * num_place_words) + sizeof(uint32_t) * copies * num_time_bins +
               (events_per_place ? num_places * (events_per_place * sizeof(TraceEvent) + sizeof(uint32_t)) : 0);
    }
    AccountView view() {
        return {frame.data(), places.data(), changes.data(), events_per_place ? events.data() : nullptr, num_events.data(),
                num_places,   num_change_copies, events_per_place};
    }
};

/// Events per place of a timeline: what was asked for, else as many as fit a total that viewers still open quickly.
inline uint32_t choose_events_per_place(uint32_t asked, uint32_t num_places) {
    constexpr uint32_t most = 1u << 16, most_in_total = 1u << 21;
    if (asked) return asked;
    const uint32_t share = most_in_total / (num_places ? num_places : 1);
    return share < 1 ? 1 : share < most ? share : most;
}

}  // namespace warpath
