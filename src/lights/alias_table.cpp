#include "lights/alias_table.h"

#include <algorithm>
#include <numeric>

namespace warpath {

std::vector<AliasEntry> build_alias_table(const std::vector<double>& weights) {
    const size_t n = weights.size();
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(n);
    std::vector<double> scaled(n);
    std::vector<uint32_t> small, large;
    uint32_t heaviest = 0;
    for (uint32_t i = 0; i < n; ++i) {
        scaled[i] = weights[i] / mean;
        (scaled[i] < 1.0 ? small : large).push_back(i);
        if (weights[i] > weights[heaviest]) heaviest = i;
    }
    std::vector<AliasEntry> table(n);
    while (!small.empty() && !large.empty()) {
        const uint32_t s = small.back(), l = large.back();
        small.pop_back();
        table[s] = {static_cast<float>(scaled[s]), l};
        scaled[l] -= 1.0 - scaled[s];
        if (scaled[l] < 1.0) {
            large.pop_back();
            small.push_back(l);
        }
    }
    for (uint32_t i : large) table[i] = {1.0f, i};
    // Rounding alone leaves entries here, and then they are full; except weight 0, which must stay undrawn.
    for (uint32_t i : small) table[i] = weights[i] > 0.0 ? AliasEntry{1.0f, i} : AliasEntry{0.0f, heaviest};
    return table;
}

}  // namespace warpath
