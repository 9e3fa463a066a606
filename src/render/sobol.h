#pragma once

#include <cstdint>
#include <utility>

#include "core/platform.h"

/// Owen-scrambled Sobol points of up to four dimensions, without tables.
/// Source:  Burley, "Practical Hash-based Owen Scrambling", JCGT 9(4), 2020. All words here are bit-reversed (the least
///          significant bit is the first binary digit), which saves Burley's reversals before and after each scramble.
namespace warpath {

namespace detail {

constexpr uint32_t reverse_bits_constexpr(uint32_t x) {
    uint32_t y = 0;
    for (int i = 0; i < 32; ++i) y |= ((x >> i) & 1u) << (31 - i);
    return y;
}

/// Direction number of bit `i`, reversed, for the primitive polynomials and initial values of Joe and Kuo,
/// "Constructing Sobol Sequences with Better Two-Dimensional Projections", SIAM J. Sci. Comput. 30(5), 2008: dimension
/// 2 (x^2+x+1; 1, 3) and 3 (x^3+x+1; 1, 3, 1).
constexpr uint32_t sobol_direction(int dimension, int i) {
    uint32_t v[32] = {1u << 31, 3u << 30, 1u << 29};
    for (int k = dimension; k < 32; ++k)
        v[k] = v[k - dimension] ^ (v[k - dimension] >> dimension) ^ v[k - dimension + 1];
    return reverse_bits_constexpr(v[i]);
}
template <int dimension, int i>
inline constexpr uint32_t sobol_direction_v = sobol_direction(dimension, i);

template <int dimension, int... i>
WARPATH_HD inline uint32_t sobol_product(uint32_t index, std::integer_sequence<int, i...>) {
    uint32_t x = 0;
    ((x ^= (0u - ((index >> i) & 1u)) & sobol_direction_v<dimension, i>), ...);
    return x;
}

}  // namespace detail

WARPATH_HD inline uint32_t reverse_bits(uint32_t x) {
    x = (x << 16) | (x >> 16);
    x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
    x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
    x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
    return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

/// Coordinate `dimension` (0 to 3) of Sobol point `index`, reversed: the point is reverse_bits(result) / 2^32.
/// Dimensions 0 and 1 together are a (0,2)-sequence.
template <int dimension>
WARPATH_HD inline uint32_t sobol_reversed(uint32_t index) {
    if constexpr (dimension == 0) {
        return index;  // van der Corput
    } else if constexpr (dimension == 1) {
        index ^= (index >> 1) & 0x55555555u;  // Pascal's triangle modulo 2, in five butterfly steps
        index ^= (index >> 2) & 0x33333333u;
        index ^= (index >> 4) & 0x0f0f0f0fu;
        index ^= (index >> 8) & 0x00ff00ffu;
        return index ^ ((index >> 16) & 0x0000ffffu);
    } else {
        return detail::sobol_product<dimension>(index, std::make_integer_sequence<int, 32>());
    }
}

/// Nested uniform (Owen) scramble of a reversed word: each bit is flipped by a hash of the bits below it and the seed.
/// Source:  Laine and Karras, "Stratified Sampling for Stochastic Transparency", EGSR 2011, with the constants of
/// Vegdahl,
///          "Building a Better LK Hash", 2021.
WARPATH_HD inline uint32_t owen_scramble_reversed(uint32_t x, uint32_t seed) {
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return x;
}

}  // namespace warpath
