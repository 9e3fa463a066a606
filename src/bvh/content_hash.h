#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

/// A fingerprint of large arrays, by which kept files are found and checked. It tells accidents apart (other scenes,
/// damaged bytes), not forgeries.
namespace warpath {

struct Hash128 {
    uint64_t word[2];
    bool operator==(const Hash128&) const = default;
};

/// Of bytes in memory, in one go. Four lanes of 64 bits take every fourth word each; a step maps a lane one to one, so
/// that a change of one word is never lost in it.
Hash128 hash_bytes(const void* bytes, size_t size);

/// Of `num_parts` hashes, computed in parallel and joined in order.
Hash128 hash_parts(size_t num_parts, const std::function<Hash128(size_t)>& part);

/// Of a large array, in parallel; not the same as hash_bytes.
Hash128 hash_array(const void* bytes, size_t size);

}  // namespace warpath
