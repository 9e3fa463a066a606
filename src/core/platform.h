#pragma once

#include <cstring>

/// Marks functions that run on the host and on a CUDA device.
#if defined(__CUDACC__)
#define WARPATH_HD __host__ __device__
#else
#define WARPATH_HD
#endif

/// A value that nothing writes while kernels run. On a device it comes by the read-only path: where a pointer reaches a function by way of memory, the
/// compiler would not even know that it is a global one. T: 8 or 16 bytes, aligned to its size.
template <class T>
WARPATH_HD inline T load_constant(const T* p) {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(T) == 16 || sizeof(T) == 8);
    T value;
    if constexpr (sizeof(T) == 16) {
        const uint4 words = __ldg(reinterpret_cast<const uint4*>(p));
        memcpy(&value, &words, sizeof value);
    } else {
        const uint2 words = __ldg(reinterpret_cast<const uint2*>(p));
        memcpy(&value, &words, sizeof value);
    }
    return value;
#else
    return *p;
#endif
}
/// Reads or writes a value by 16 bytes at a time, which compilers for a device do not do of themselves where a member at a time is asked for. T: a
/// multiple of 16 bytes; the address too.
template <class T>
WARPATH_HD inline T load_wide(const T* p) {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(T) % 16 == 0);
    uint4 words[sizeof(T) / 16];
    for (unsigned i = 0; i < sizeof(T) / 16; ++i) words[i] = reinterpret_cast<const uint4*>(p)[i];
    T value;
    memcpy(&value, words, sizeof value);
    return value;
#else
    return *p;
#endif
}
template <class T>
WARPATH_HD inline void store_wide(T* p, const T& value) {
#if defined(__CUDA_ARCH__)
    static_assert(sizeof(T) % 16 == 0);
    uint4 words[sizeof(T) / 16];
    memcpy(words, &value, sizeof value);
    for (unsigned i = 0; i < sizeof(T) / 16; ++i) reinterpret_cast<uint4*>(p)[i] = words[i];
#else
    *p = value;
#endif
}
namespace warpath {

/// Whether groups keep account of how they spend their time and lanes. Off (CMake: WARPATH_COUNTERS) only to measure what that costs.
#if defined(WARPATH_NO_ACCOUNTS)
inline constexpr bool keeps_accounts = false;
#else
inline constexpr bool keeps_accounts = true;
#endif

}  // namespace warpath

/// Before a loop: CUDA keeps one copy of its body. For bodies whose code costs more than the branch back, as warps in
/// different places of a large kernel wait for instructions.
#if defined(__CUDA_ARCH__)
#define WARPATH_ROLLED _Pragma("unroll 1")
#else
#define WARPATH_ROLLED
#endif

/// For large functions that kernels call from many places or seldom: one copy instead of one per call. Which functions
/// gain is measured, not obvious (docs/measurements, schedulers on an H200). Host compilers decide for themselves.
#if defined(__CUDACC__)
#define WARPATH_HD_CALL __noinline__ __host__ __device__
#else
#define WARPATH_HD_CALL
#endif
