#pragma once

/// The one qualifier macro: marks functions that run on the host and on a CUDA device.
#if defined(__CUDACC__)
#define WARPATH_HD __host__ __device__
#else
#define WARPATH_HD
#endif
