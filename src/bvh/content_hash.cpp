#include "bvh/content_hash.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace warpath {
namespace {

constexpr uint64_t odd_1 = 0x9e3779b97f4a7c15u, odd_2 = 0xd1342543de82ef95u;
constexpr size_t part_size = size_t(1) << 18;

uint64_t step(uint64_t lane, uint64_t word) { return std::rotl((lane ^ word) * odd_1, 29) + odd_2; }

/// Spreads every bit over all of them.
uint64_t scramble(uint64_t x) {
    x = (x ^ x >> 32) * odd_2;
    x = (x ^ x >> 29) * odd_1;
    return x ^ x >> 32;
}

}  // namespace

Hash128 hash_bytes(const void* bytes, size_t size) {
    uint64_t lanes[4] = {odd_1, odd_2, ~odd_1, ~odd_2}, words[4];
    const unsigned char* p = static_cast<const unsigned char*>(bytes);
    size_t left = size;
    for (; left >= sizeof(words); left -= sizeof(words), p += sizeof(words)) {
        std::memcpy(words, p, sizeof(words));
        for (int i = 0; i < 4; ++i) lanes[i] = step(lanes[i], words[i]);
    }
    std::memset(words, 0, sizeof(words));
    if (left > 0) std::memcpy(words, p, left);
    Hash128 hash{{size, ~uint64_t(size)}};
    for (int i = 0; i < 4; ++i) {
        const uint64_t lane = scramble(step(lanes[i], words[i]));
        hash.word[0] = scramble(hash.word[0] + lane);
        hash.word[1] = scramble(std::rotl(hash.word[1], 23) ^ lane * odd_1);
    }
    return hash;
}

Hash128 hash_parts(size_t num_parts, const std::function<Hash128(size_t)>& part) {
    std::vector<Hash128> parts(num_parts);
    tbb::parallel_for(size_t(0), num_parts, [&](size_t i) { parts[i] = part(i); });
    return hash_bytes(parts.data(), parts.size() * sizeof(Hash128));
}

Hash128 hash_array(const void* bytes, size_t size) {
    const unsigned char* first = static_cast<const unsigned char*>(bytes);
    return hash_parts((size + part_size - 1) / part_size, [&](size_t i) {
        return hash_bytes(first + i * part_size, std::min(part_size, size - i * part_size));
    });
}

}  // namespace warpath
