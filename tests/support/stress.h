#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace warpath::testing {

/// Calls f(seed) for the seeds 1 to num_seeds, or, if the environment variable WARPATH_STRESS says for how many minutes, for that long. Ends at the
/// first failure, which names the seed. The thread sanitizer, which is slow, gets fewer.
template <class F>
void for_seeds(uint64_t num_seeds, const F& f) {
#if defined(__SANITIZE_THREAD__)
    num_seeds = (num_seeds + 3) / 4;
#endif
    const char* asked = std::getenv("WARPATH_STRESS");
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double, std::ratio<60>>(asked ? std::strtod(asked, nullptr) : 0.0);
    for (uint64_t seed = 1; seed <= num_seeds || std::chrono::steady_clock::now() < end; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        f(seed);
        if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace warpath::testing
