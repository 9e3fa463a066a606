#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpath {

/// What happened when during one frame. All times in nanoseconds since the host began the frame; a device's times were carried over to the
/// host's clock with an error of at most clock_error_ns.
struct Timeline {
    /// A batch of a stage, or an idle spell. A batch begins where the group's event before it ended, so it holds the way to its work too.
    struct Batch {
        uint32_t sm = 0, slot = 0;      ///< where the group ran; CPU: sm 0, and the thread
        const char* stage = "";         ///< "generate", "intersect", "shade", "occlude" or "idle"
        int64_t begin_ns = 0, end_ns = 0;
        uint32_t num_items = 0;
    };
    /// The depth of a queue at a time. Resident schedulers: rings of the first pool; bounce by bounce: lists between bounces.
    struct Depth {
        const char* queue = "";         ///< "trace", "shade" or "free"
        int64_t time_ns = 0;
        uint32_t num_entries = 0;
    };
    struct HostCall {
        std::string name;
        const char* kind = "";          ///< "phase", "launch", "wait", "to device" or "to host"
        int64_t begin_ns = 0, end_ns = 0;
        uint64_t num_bytes = 0;
    };
    std::string device;
    bool has_sms = false;               ///< whether `sm` means anything
    std::vector<Batch> batches;         ///< ordered by place, then by time
    std::vector<Depth> depths;          ///< ordered by time
    std::vector<HostCall> host_calls;   ///< ordered by their end
    uint64_t num_dropped_batches = 0, num_dropped_host_calls = 0;  ///< found no room; the first ones were kept
    uint64_t clock_error_ns = 0;
};

/// The timeline as a file in the Chrome trace format, which Perfetto (ui.perfetto.dev) opens: a process per SM and one for the host, a track per
/// warp slot, and counter tracks for queues. What was dropped stands under "otherData".
/// Source:  "Trace Event Format", Google, document of the Chrome tracing project.
std::string chrome_trace(const Timeline& timeline);

}  // namespace warpath
