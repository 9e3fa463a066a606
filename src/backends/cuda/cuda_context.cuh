#pragma once

#include <cuda/atomic>

#include "backends/cuda/tuning.h"
#include "core/context.h"
#include "schedulers/schedule.h"

namespace warpath {

/// What the groups of one CUDA launch share; travels as a kernel argument.
struct CudaLaunchState {
    uint64_t* counters;          ///< counter_copies * num_counter_words, device memory
    uint32_t* stop_level;        ///< written by the host while kernels run
    uint64_t* heartbeat;         ///< grows while groups make progress
    uint32_t num_groups;
    uint32_t storage_words;      ///< per group
};

/// A group on CUDA: one warp. See core/context.h for the meaning of the members.
/// Shared memory of a warp: num_counter_words of counters, then storage_words of the scheduler's.
class CudaContext {
  public:
    __device__ CudaContext(const CudaLaunchState& state, uint32_t* shared)
        : state_(state), lane_(threadIdx.x % warp_size), group_((blockIdx.x * blockDim.x + threadIdx.x) / warp_size) {
        counters_ = shared + (threadIdx.x / warp_size) * (num_counter_words + state.storage_words);
        for (uint32_t i = lane_; i < num_counter_words; i += warp_size) counters_[i] = 0;
        __syncwarp();
    }

    __device__ void count(Counter counter, uint32_t n) { add_shared(static_cast<uint32_t>(counter), n); }
    __device__ void count_ray(RayKind kind, uint32_t bounce) { atomicAdd(counters_ + bounce_word(kind, bounce), 1u); }
    template <class T>
    __device__ T add(T* p, T n) {
        return cuda::atomic_ref<T, cuda::thread_scope_device>(*p).fetch_add(n, cuda::memory_order_relaxed);
    }

    __device__ uint32_t lane() const { return lane_; }
    __device__ uint32_t group_size() const { return warp_size; }
    __device__ uint32_t group() const { return group_; }
    __device__ uint32_t num_groups() const { return state_.num_groups; }
    __device__ uint64_t group_add(uint64_t* p, uint64_t n) {
        uint64_t old = 0;
        if (lane_ == 0) old = add(p, n);
        return __shfl_sync(all_lanes, old, 0);
    }
    __device__ uint32_t ballot(bool vote) const { return __ballot_sync(all_lanes, vote); }
    __device__ void sync_group() const { __syncwarp(); }
    __device__ uint32_t* group_storage() const { return counters_ + num_counter_words; }
    __device__ StopLevel stop_level() {
        uint32_t level = 0;
        if (lane_ == 0) {
            level = cuda::atomic_ref<uint32_t, cuda::thread_scope_system>(*state_.stop_level).load(cuda::memory_order_relaxed);
            add(state_.heartbeat, uint64_t{1});
        }
        return static_cast<StopLevel>(__shfl_sync(all_lanes, level, 0));
    }
    __device__ void count_batch(StageId stage, bool active) {
        const uint32_t items = __popc(__ballot_sync(all_lanes, active));
        if (lane_ == 0) {
            atomicAdd(counters_ + static_cast<uint32_t>(Counter::GenerateBatches) + static_cast<uint32_t>(stage), 1u);
            atomicAdd(counters_ + static_cast<uint32_t>(Counter::GenerateItems) + static_cast<uint32_t>(stage), items);
        }
        if (++num_batches_ % batches_between_flushes == 0) flush();
    }

    /// Adds this warp's counters to device memory and clears them. All lanes call together.
    __device__ void flush() {
        __syncwarp();
        uint64_t* copy = state_.counters + static_cast<uint64_t>(group_ % counter_copies) * num_counter_words;
        for (uint32_t i = lane_; i < num_counter_words; i += warp_size) {
            if (counters_[i] != 0) add(copy + i, static_cast<uint64_t>(counters_[i]));
            counters_[i] = 0;
        }
        __syncwarp();
    }

  private:
    static constexpr uint32_t all_lanes = 0xffffffffu;

    /// Called by any subset of lanes, each with its own word: lanes that are here together with one word add up first, and one of them
    /// writes.
    __device__ void add_shared(uint32_t word, uint32_t n) {
#if __CUDA_ARCH__ >= 800
        const uint32_t same = __match_any_sync(__activemask(), word);
        const uint32_t sum = __reduce_add_sync(same, n);
        if (lane_ == static_cast<uint32_t>(__ffs(same) - 1)) atomicAdd(counters_ + word, sum);
#else
        atomicAdd(counters_ + word, n);
#endif
    }

    const CudaLaunchState& state_;
    uint32_t lane_, group_;
    uint32_t* counters_;
    uint32_t num_batches_ = 0;
};

/// The one kernel form: builds a context and calls a body.
template <class Kernel>
__global__ void __launch_bounds__(KernelTuning<Kernel>::block_threads, KernelTuning<Kernel>::min_blocks_per_sm)
    run_kernel(const __grid_constant__ Kernel kernel, const __grid_constant__ CudaLaunchState state) {
    extern __shared__ uint32_t shared[];
    CudaContext ctx(state, shared);
    if (ctx.group() >= state.num_groups) return;  // whole warps only
    kernel(ctx);
    ctx.flush();
}

}  // namespace warpath
