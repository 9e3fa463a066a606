#pragma once

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace warpath {

/// Calls f() where oneTBB has that many threads; 0: all cores. An arena larger than the machine gets its threads only
/// if the global limit allows them.
template <class F>
auto on_threads(uint32_t num_threads, const F& f) {
    if (num_threads == 0) return f();
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                    std::max<size_t>(num_threads, tbb::this_task_arena::max_concurrency()));
    return tbb::task_arena(static_cast<int>(num_threads)).execute(f);
}

}  // namespace warpath
