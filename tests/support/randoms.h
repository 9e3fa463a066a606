#pragma once

#include "core/random.h"

namespace warpath {

/// Random numbers for tests, the same in every run.
class Randoms {
  public:
    explicit Randoms(uint64_t seed) : state_(seed) {}
    float in(float lo, float hi) { return lerp(lo, hi, unit_float(static_cast<uint32_t>(hash_u64(++state_) >> 32))); }
    Vec3 in_cube(float half) { return {in(-half, half), in(-half, half), in(-half, half)}; }

  private:
    uint64_t state_;
};

}  // namespace warpath
