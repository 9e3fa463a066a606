#pragma once

/// Marks functions that run on the host and on a CUDA device.
#if defined(__CUDACC__)
#define WARPATH_HD __host__ __device__
#else
#define WARPATH_HD
#endif

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
