#pragma once

#include "backends/render_backend.h"

/// What a finished run looks like from outside.
namespace warpath {

/// Of all kinds.
uint64_t num_rays(const CounterWords& words);

/// Of a run that the watchdog ended: what waited where, and what to try.
std::string abort_text(const RenderJob& job, const RunOutcome& run);

/// All that is said of a run but image and warnings.
RenderResult run_numbers(const RenderJob& job, const RunOutcome& run);

/// Image, counters and warnings of a run; devices, memory and the other times are the caller's to fill in.
RenderResult make_result(const RenderJob& job, const std::vector<std::string>& aovs,
                         const FilmColumns<HostColumn>& film, const RunOutcome& run);

/// A line on what will be allocated where.
std::string describe_plan(const std::vector<MemoryItem>& items, uint32_t num_slots, const std::string& device);

/// Items of the same name added up: what several devices take together.
std::vector<MemoryItem> add_items(std::vector<MemoryItem> sum, const std::vector<MemoryItem>& items);

}  // namespace warpath
