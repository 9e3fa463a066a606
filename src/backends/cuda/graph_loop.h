#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace warpath {

/// Launches a kernel that lets the WHILE node of `condition` go on exactly if `*done`, in the device's memory, is zero. Apart from all other kernels of graphs,
/// since it alone needs the device runtime, and so relocatable code.
/// Errors:  Device.
void launch_loop_test(cudaStream_t stream, cudaGraphConditionalHandle condition, const uint64_t* done);

}  // namespace warpath
