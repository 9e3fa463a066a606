#pragma once

#include "core/math.h"
#include "core/random.h"
#include "render/frame.h"
#include "render/sobol.h"

namespace warpath {

/// Which random number is for what. Dimensions come in groups of four: 0 and 1 of a group are a two-dimensional pair, 2
/// and 3 are single. Within a group all four are stratified together; groups are independent of each other.
///
///     group 0          0,1 position in the pixel filter
///     group 1          0,1 position on the lens
///     group 2 + 2b     bounce b: 0,1 point on the light; 2 which light of its kind; 3 which kind of light, and alias
///     group 3 + 2b     bounce b: 0,1 direction of the bsdf sample; 2 its lobe; 3 Russian roulette
///
/// Alpha tests hash (seed, pixel, sample, bounce, ray kind, prim_id) instead (alpha.h): how many a ray makes is not
/// known.
enum SampleDimension : uint32_t {
    dimension_filter = 0,
    dimension_lens = 4,
    dimension_first_bounce = 8,
    dimensions_per_bounce = 8,
    dimension_light_uv = 0,  ///< this and the following count from the bounce's first dimension
    dimension_light_index = 2,
    dimension_light_kind = 3,
    dimension_bsdf_uv = 4,
    dimension_bsdf_lobe = 6,
    dimension_roulette = 7,
};
/// First dimension of bounce `depth` (scattering events before it).
WARPATH_HD inline uint32_t bounce_dimension(uint32_t depth) {
    return dimension_first_bounce + depth * dimensions_per_bounce;
}

/// The random numbers of one group of dimensions.
struct SampleGroup {
    UVec4 bits;

    WARPATH_HD Vec2 pair() const { return {unit_float(bits.x), unit_float(bits.y)}; }
    WARPATH_HD float third() const { return unit_float(bits.z); }
    WARPATH_HD float fourth() const { return unit_float(bits.w); }
};

/// Random numbers of one sample of one pixel: pure functions of (seed, pixel, sample, dimension), whatever the order of
/// calls. Units:   floats lie in [0, 1), 1 excluded; get_bits has all 32 bits. Source:  Burley, "Practical Hash-based
/// Owen Scrambling", JCGT 9(4), 2020: for each group of four dimensions the sample index
///          is shuffled and each dimension scrambled, both by nested uniform scrambles seeded with pixel and group. Any
///          aligned power-of-two block of samples is a (0,2)-net in dimensions 0 and 1 of a group.
class Sampler {
  public:
    WARPATH_HD Sampler(SamplerKind kind, uint64_t seed, uint32_t pixel, uint32_t sample)
        : key_(hash_pair(hash_u64(seed), pixel)), sample_(sample), kind_(kind) {}

    /// The four numbers of a group; `dimension` must be its first (a multiple of four).
    WARPATH_HD SampleGroup get_group(uint32_t dimension) const { return draw(kind_, key_, sample_, dimension); }
    /// `dimension` must be the first of a group.
    WARPATH_HD Vec2 get_2d(uint32_t dimension) const { return get_group(dimension).pair(); }
    /// 32 uniform bits.
    WARPATH_HD uint32_t get_bits(uint32_t dimension) const {
        const UVec4 bits = get_group(dimension & ~3u).bits;
        const uint32_t i = dimension & 3u;
        return i == 0 ? bits.x : i == 1 ? bits.y : i == 2 ? bits.z : bits.w;
    }
    WARPATH_HD float get_1d(uint32_t dimension) const { return unit_float(get_bits(dimension)); }

  private:
    /// By value, so that a call on CUDA needs no sampler in memory.
    WARPATH_HD_CALL static SampleGroup draw(SamplerKind kind, uint64_t key, uint32_t sample, uint32_t dimension) {
        if (kind == SamplerKind::Independent)
            return {{independent(key, sample, dimension), independent(key, sample, dimension + 1),
                     independent(key, sample, dimension + 2), independent(key, sample, dimension + 3)}};
        const uint64_t hashed = hash_pair(key, dimension >> 2);
        const uint32_t seed = static_cast<uint32_t>(hashed >> 32);
        const uint32_t index =
            reverse_bits(owen_scramble_reversed(reverse_bits(sample), static_cast<uint32_t>(hashed)));
        return {{coordinate<0>(index, seed), coordinate<1>(index, seed), coordinate<2>(index, seed),
                 coordinate<3>(index, seed)}};
    }
    template <int dimension>
    WARPATH_HD static uint32_t coordinate(uint32_t index, uint32_t seed) {
        const uint32_t scramble = hash_u32(seed + dimension * 0x9e3779b9u);
        return reverse_bits(owen_scramble_reversed(sobol_reversed<dimension>(index), scramble));
    }
    WARPATH_HD static uint32_t independent(uint64_t key, uint32_t sample, uint32_t dimension) {
        return static_cast<uint32_t>(hash_pair(key, static_cast<uint64_t>(dimension) << 32 | sample) >> 32);
    }

    uint64_t key_;
    uint32_t sample_;
    SamplerKind kind_;
};

}  // namespace warpath
