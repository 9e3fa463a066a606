#pragma once

#include "backends/cuda/cuda_backend.cuh"

/// Launches from the device (dynamic parallelism). Only this header needs relocatable device code.
namespace warpath {

template <class Kernel>
__global__ void run_launcher(const __grid_constant__ Kernel kernel, const __grid_constant__ CudaLaunchState state);

/// What is launched from the device: run_kernel, without the marks of a dependent launch.
template <class Kernel>
__global__ void __launch_bounds__(KernelTuning<Kernel>::block_threads, KernelTuning<Kernel>::min_blocks_per_sm)
    run_tail_kernel(const __grid_constant__ Kernel kernel, const __grid_constant__ CudaLaunchState state) {
    run_body<CudaContext, false>(kernel, state);
}

/// A context that can launch kernels. They start, in order, when the kernel that launched them has ended.
class TailLaunchContext : public CudaContext {
  public:
    using CudaContext::CudaContext;

    template <class Kernel>
    __device__ void tail_launch(const Kernel& kernel, uint64_t num_groups) {
        constexpr uint32_t threads = KernelTuning<Kernel>::block_threads, per_block = threads / warp_size;
        CudaLaunchState next = state();
        next.num_groups = static_cast<uint32_t>(num_groups < 0x7fffffffu ? num_groups : 0x7fffffffu);
        if constexpr (requires { Kernel::launches; })
            run_launcher<Kernel><<<1, warp_size, sizeof(uint32_t) * shared_words(1), cudaStreamTailLaunch>>>(kernel, next);
        else
            run_tail_kernel<Kernel><<<(next.num_groups + per_block - 1) / per_block, threads, sizeof(uint32_t) * shared_words(per_block),
                                      cudaStreamTailLaunch>>>(kernel, next);
    }
};

template <class Kernel>
__global__ void run_launcher(const __grid_constant__ Kernel kernel, const __grid_constant__ CudaLaunchState state) {
    run_body<TailLaunchContext, false>(kernel, state);
}

template <class Kernel>
void CudaBackend::launch_from_device(const char* name, const Kernel& kernel) {
    const HostRange range(host_log_, HostCall::Launch, name);
    run_launcher<Kernel><<<1, warp_size, sizeof(uint32_t) * CudaContext::shared_words(1), stream_>>>(kernel, launch_state(1));
    cuda_check(cudaGetLastError(), std::string("launching kernel ") + name);
    ++num_launches_;
}

}  // namespace warpath
