#pragma once

#include "backends/render_backend.h"
#include "warpath/statistics.h"
#include "warpath/timeline.h"

namespace warpath {

/// The records of a frame's groups, from what a backend brought back. Without groups and times where none were kept: by a kernel that stays, and for
/// several devices together.
FrameRecord frame_record(const RunOutcome& outcome);

/// All counters: those of kernels, and those that the host adds.
Counters all_counters(const RunOutcome& outcome, const FrameRecord& record);

FrameTiming frame_timing(const RunOutcome& outcome, const FrameRecord& record);

/// The timeline of a frame that kept one, without the device's name.
Timeline frame_timeline(const RunOutcome& outcome);

}  // namespace warpath
