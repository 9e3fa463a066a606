#pragma once

#include <cstdint>

#include "core/platform.h"

/// Stateless random numbers: hashes of counters, so that a value depends on what it is for and never on the order of
/// calls.
namespace warpath {

/// Bijective 64-bit hash.
/// Source:  Stafford, "Better Bit Mixing", 2011, variant 13 (the finaliser of SplitMix64).
WARPATH_HD inline uint64_t hash_u64(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

/// Bijective 32-bit hash.
/// Source:  Wellons, "Prospecting for Hash Functions", 2018 (lowbias32).
WARPATH_HD inline uint32_t hash_u32(uint32_t x) {
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/// Hash of an ordered pair; chains to hash longer keys.
WARPATH_HD inline uint64_t hash_pair(uint64_t key, uint64_t value) {
    return hash_u64(key + 0x9e3779b97f4a7c15ull * (value + 1));
}

/// Uniform in [0, 1): the upper 24 bits, so that the result is exact and never rounds up to 1.
WARPATH_HD inline float unit_float(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

/// Index in [0, n) from 32 uniform bits; the probabilities of two indices differ by at most 2^-32.
WARPATH_HD inline uint32_t scale_to_range(uint32_t bits, uint32_t n) {
    return static_cast<uint32_t>((static_cast<uint64_t>(bits) * n) >> 32);
}

}  // namespace warpath
