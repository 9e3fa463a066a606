#pragma once

#include <cooperative_groups.h>

#include <cuda/atomic>

#include "backends/cuda/tuning.h"
#include "backends/group_account.h"
#include "core/context.h"
#include "schedulers/schedule.h"

namespace warpath {

/// What the groups of one CUDA launch share; travels as a kernel argument.
struct CudaLaunchState {
    uint64_t* counters;          ///< counter_copies * num_counter_words, device memory
    uint32_t* stop_level;        ///< written by the host while kernels run
    uint64_t* heartbeat;         ///< grows while groups make progress
    uint64_t* stall;             ///< where a wait passed its limit; 0: none did
    uint64_t* host_stall;        ///< the same for the host, in mapped memory
    uint64_t wait_limit_ns;
    uint32_t num_groups;
    AccountView accounts;
};

/// A group on CUDA: one warp. See core/context.h for the meaning of the members.
/// Shared memory of a block: the block's histograms of rays, the counters and the account of each warp, then the scheduler's storage.
class CudaContext {
  public:
    __device__ explicit CudaContext(const CudaLaunchState& state)
        : state_(state), lane_(threadIdx.x % warp_size), group_((blockIdx.x * blockDim.x + threadIdx.x) / warp_size) {}
    /// Words of a block before the scheduler's storage, which so begins at a multiple of 8 bytes.
    __host__ __device__ static constexpr uint32_t shared_words(uint32_t groups_per_block) {
        return num_histogram_words + groups_per_block * warp_words;
    }
    /// Clears counters and accounts. All threads of the block call together, and a barrier must follow.
    __device__ void clear_counters() {
        for (uint32_t i = threadIdx.x; i < shared_words(blockDim.x / warp_size); i += blockDim.x) shared()[i] = 0;
    }
    /// Begins the warp's account of its kernel: after clear_counters() and the barrier.
    __device__ void open_account() { account::open(*this, own_account(), state_.accounts); }
    /// Passes on what the block's warps counted and what they account for. All warps that run the kernel call at its end: the block leaves as a whole
    /// anyway, and one addition for a block does not queue up as those of all its warps would.
    __device__ void close_block() {
        const uint32_t num_warps = warps_in_use();
        const bool has_account = account::writes(*this, state_.accounts) && !state_.accounts.by_task;
        if (has_account) account::end(*this, own_account(), state_.accounts);
        __syncthreads();
        if (keeps_accounts && state_.accounts.frame && !state_.accounts.by_task && threadIdx.x < num_warps) {
            account::write(*this, account_of(threadIdx.x), state_.accounts);
            if (threadIdx.x == 0) put<Scope::Device>(state_.accounts.frame + last_end_ns, clock_ns());
        }
        uint64_t* copy = counter_copy();
        for (uint32_t i = threadIdx.x; i < num_counter_words; i += num_warps * warp_size) {
            uint64_t sum = i < num_kernel_counters ? 0 : shared()[i - num_kernel_counters];
            for (uint32_t warp = 0; i < num_kernel_counters && warp < num_warps; ++warp) sum += counters_of(warp)[i];
            if (sum != 0) add(copy + i, sum);
        }
    }

    __device__ void count(Counter counter, uint32_t n) {
        const uint32_t lanes = __activemask();
#if __CUDA_ARCH__ >= 800
        const uint32_t sum = __reduce_add_sync(lanes, n);
        if (lane_ == static_cast<uint32_t>(__ffs(lanes) - 1)) atomicAdd(counters() + static_cast<uint32_t>(counter), sum);
#else
        atomicAdd(counters() + static_cast<uint32_t>(counter), n);
#endif
    }
    __device__ void count_ray(RayKind kind, uint32_t bounce) {
        const uint32_t word = bounce_word(kind, bounce) - static_cast<uint32_t>(num_kernel_counters);
        const uint32_t lanes = __activemask();
        int same = 0;
        __match_all_sync(lanes, word, &same);
        if (!same)
            atomicAdd(shared() + word, 1u);
        else if (lane_ == static_cast<uint32_t>(__ffs(lanes) - 1))
            atomicAdd(shared() + word, static_cast<uint32_t>(__popc(lanes)));
    }

    __device__ uint32_t lane() const { return lane_; }
    __device__ uint32_t group_size() const { return warp_size; }
    __device__ uint32_t group() const { return group_; }
    __device__ uint32_t num_groups() const { return state_.num_groups; }
    __device__ uint32_t block() const { return blockIdx.x; }
    __device__ uint32_t group_in_block() const { return threadIdx.x / warp_size; }
    __device__ uint32_t groups_per_block() const { return blockDim.x / warp_size; }
    __device__ uint32_t ballot(bool vote) const { return __ballot_sync(all_lanes, vote); }
    template <class T>
    __device__ T broadcast(T value, uint32_t lane) const {
        return __shfl_sync(all_lanes, value, lane);
    }
    __device__ void sync_group() const { __syncwarp(); }
    __device__ void sync_block() {
        const uint64_t since = account::begin_barrier(*this, state_.accounts);
        __syncthreads();
        account::end_barrier(*this, own_account(), state_.accounts, since);
    }
    __device__ void sync_grid() {
        begin_idle();
        cooperative_groups::this_grid().sync();
        end_idle();
    }
    __device__ uint32_t* block_storage() const { return shared() + shared_words(blockDim.x / warp_size); }

    /// The plain intrinsics: cuda::atomic_ref hides the address space, at some 15 instructions an addition.
    template <Scope scope = Scope::Device, class T>
    __device__ T add(T* p, T n) {
        static_assert(scope != Scope::System && (sizeof(T) == 4 || sizeof(T) == 8));
        if constexpr (sizeof(T) == 8)
            return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(n)));
        else if constexpr (scope == Scope::Block)
            return atomicAdd_block(p, n);
        else
            return atomicAdd(p, n);
    }
    /// One addition for all lanes of the same address.
    template <Scope scope, class T>
    __device__ void add_alike(T* p, T n) {
        const uint32_t same = __match_any_sync(__activemask(), reinterpret_cast<unsigned long long>(p));
        if (lane_ == static_cast<uint32_t>(__ffs(same) - 1)) add<scope>(p, static_cast<T>(n * static_cast<T>(__popc(same))));
    }
    template <Scope scope, class T>
    __device__ T swap(T* p, T v) {
        static_assert(scope == Scope::Block && sizeof(T) == 4);
        return atomicExch_block(p, v);
    }
    template <Scope scope, class T>
    __device__ void raise(T* p, T v) {
        static_assert(scope == Scope::Device && sizeof(T) == 8);
        atomicMax(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(v));
    }
    template <Scope scope, class T>
    __device__ T add_ordered(T* p, T n) {
        return reference<scope>(p).fetch_add(n, cuda::memory_order_acq_rel);
    }
    template <Scope scope, class T>
    __device__ T load(const T* p) const {
        if constexpr (scope == Scope::Block) {
            static_assert(sizeof(T) == 4);
            T value;
            asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(value) : "r"(shared_address(p)) : "memory");
            return value;
        } else
            return reference<scope>(const_cast<T*>(p)).load(cuda::memory_order_acquire);
    }
    template <Scope scope, class T>
    __device__ void store(T* p, T v) {
        if constexpr (scope == Scope::Block)
            asm volatile("st.release.cta.shared.u32 [%0], %1;" : : "r"(shared_address(p)), "r"(v) : "memory");
        else
            reference<scope>(p).store(v, cuda::memory_order_release);
    }
    template <Scope scope, class T>
    __device__ bool exchange_if(T* p, T& expected, T desired) {
        return reference<scope>(p).compare_exchange_strong(expected, desired, cuda::memory_order_relaxed);
    }
    template <Scope scope, class T>
    __device__ T peek(const T* p) const {
        if constexpr (scope == Scope::Block) {
            static_assert(sizeof(T) == 4);
            T value;
            asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(value) : "r"(shared_address(p)) : "memory");
            return value;
        } else
            return reference<scope>(const_cast<T*>(p)).load(cuda::memory_order_relaxed);
    }
    template <Scope scope, class T>
    __device__ void put(T* p, T v) {
        if constexpr (scope == Scope::Block)
            asm volatile("st.relaxed.cta.shared.u32 [%0], %1;" : : "r"(shared_address(p)), "r"(v) : "memory");
        else
            reference<scope>(p).store(v, cuda::memory_order_relaxed);
    }
    template <Scope scope, class T>
    __device__ void acquire(const T*) const {
        fence<scope>();
    }
    template <Scope scope>
    __device__ void release() const {
        fence<scope>();
    }
    template <Scope scope, class T>
    __device__ void put_released(T* p, T v) {
        put<scope>(p, v);
    }
    __device__ StopLevel stop_level() {
        uint32_t level = 0;
        if (lane_ == 0) {
            level = reference<Scope::System>(state_.stop_level).load(cuda::memory_order_relaxed);
            if (reference<Scope::Device>(state_.stall).load(cuda::memory_order_relaxed) != 0) level = static_cast<uint32_t>(StopLevel::Abort);
            add(state_.heartbeat, uint64_t{1});
        }
        return static_cast<StopLevel>(broadcast(level, 0));
    }
    __device__ void report_stall(uint64_t where) {
        reference<Scope::Device>(state_.stall).store(where, cuda::memory_order_relaxed);
        store<Scope::System>(state_.host_stall, where);
    }
    __device__ bool stalled() const { return reference<Scope::Device>(state_.stall).load(cuda::memory_order_relaxed) != 0; }
    __device__ uint64_t clock_ns() const {
        uint64_t now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        return now;
    }
    __device__ uint64_t wait_limit_ns() const { return state_.wait_limit_ns; }
    __device__ void pause(uint32_t ns) const { __nanosleep(ns); }
    __device__ uint32_t ticks() const { return static_cast<uint32_t>(clock()); }
    /// The warp's slot of its SM: two warps never have one at the same time.
    __device__ uint32_t place() const {
        uint32_t sm, slot;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
        return sm * warp_slots_per_sm + slot;
    }
    __device__ void open_task(uint64_t origin_ns) { account::open_task(*this, own_account(), state_.accounts, origin_ns); }
    __device__ void close_task() { account::close_task(*this, own_account(), state_.accounts); }
    __device__ void begin_idle() { account::begin_idle(*this, own_account(), state_.accounts); }
    __device__ void end_idle() { account::end_idle(*this, own_account(), state_.accounts); }
    __device__ bool has_timeline() const { return state_.accounts.events != nullptr; }
    __device__ void record_depth(QueueId queue, uint32_t depth) { account::record_depth(*this, state_.accounts, queue, depth); }
    __device__ void count_batch(StageId stage, bool active) {
        const uint32_t votes = __ballot_sync(all_lanes, active);
        if (votes == 0) return;
        if (lane_ == 0) {
            atomicAdd(counters() + static_cast<uint32_t>(Counter::GenerateBatches) + static_cast<uint32_t>(stage), 1u);
            atomicAdd(counters() + static_cast<uint32_t>(Counter::GenerateItems) + static_cast<uint32_t>(stage), __popc(votes));
            if (has_timeline()) account::record_batch(*this, own_account(), state_.accounts, stage, static_cast<uint32_t>(__popc(votes)));
        }
        if (++num_batches_ % batches_between_flushes == 0) flush();
    }

    /// Adds this warp's counters, and its block's histograms so far, to device memory and clears them. All lanes call together.
    __device__ void flush() {
        __syncwarp();
        uint64_t* copy = counter_copy();
        for (uint32_t i = lane_; i < num_counter_words; i += warp_size) {
            uint32_t* own = i < num_kernel_counters ? counters() + i : shared() + (i - num_kernel_counters);
            if (peek<Scope::Block>(own) == 0) continue;  // other warps of the block may be adding to its histograms
            add(copy + i, static_cast<uint64_t>(atomicExch(own, 0u)));
        }
        __syncwarp();
    }

  private:
    static constexpr uint32_t all_lanes = 0xffffffffu;

    static constexpr uint32_t num_histogram_words = num_counter_words - num_kernel_counters;
    static constexpr uint32_t num_warp_counters = (num_kernel_counters + 1) / 2 * 2;  ///< accounts have words of 64 bits
    static constexpr uint32_t warp_words = num_warp_counters + (keeps_accounts ? sizeof(GroupAccount) / sizeof(uint32_t) : 0);
    static_assert(num_histogram_words % 2 == 0 && warp_words % 2 == 0);

    /// Words that a block shares lie in its shared memory: cuda::atomic_ref would go there by way of generic addresses.
    template <class T>
    __device__ static uint32_t shared_address(const T* p) {
        return static_cast<uint32_t>(__cvta_generic_to_shared(p));
    }
    template <Scope scope, class T>
    __device__ static auto reference(T* p) {
        if constexpr (scope == Scope::Block)
            return cuda::atomic_ref<T, cuda::thread_scope_block>(*p);
        else if constexpr (scope == Scope::Device)
            return cuda::atomic_ref<T, cuda::thread_scope_device>(*p);
        else
            return cuda::atomic_ref<T, cuda::thread_scope_system>(*p);
    }

    template <Scope scope>
    __device__ static void fence() {
        constexpr auto s = scope == Scope::Block ? cuda::thread_scope_block : scope == Scope::Device ? cuda::thread_scope_device : cuda::thread_scope_system;
        cuda::atomic_thread_fence(cuda::memory_order_acq_rel, s);
    }

    /// The block's shared memory. Named where it is used, not kept as a pointer: so the compiler knows in every function, also in one that got the
    /// context by way of memory, that these are shared addresses.
    __device__ static uint32_t* shared() {
        extern __shared__ __align__(8) uint32_t block_shared[];
        return block_shared;
    }
    __device__ static uint32_t* counters_of(uint32_t warp) { return shared() + num_histogram_words + warp * warp_words; }
    __device__ static uint32_t* counters() { return counters_of(threadIdx.x / warp_size); }
    __device__ static GroupAccount& account_of(uint32_t warp) { return *reinterpret_cast<GroupAccount*>(counters_of(warp) + num_warp_counters); }
    __device__ static GroupAccount& own_account() { return account_of(threadIdx.x / warp_size); }
    __device__ uint64_t* counter_copy() const { return state_.counters + static_cast<uint64_t>(group_ % counter_copies) * num_counter_words; }
    /// Of the block; the last block of a grid may have some that do not run the kernel.
    __device__ uint32_t warps_in_use() const {
        const uint32_t per_block = blockDim.x / warp_size, rest = state_.num_groups - blockIdx.x * per_block;
        return rest < per_block ? rest : per_block;
    }

    const CudaLaunchState& state_;
    uint32_t lane_, group_;
    uint32_t num_batches_ = 0;

  protected:
    __device__ const CudaLaunchState& state() const { return state_; }
};

/// The body of every kernel: builds a context and calls the scheduler's body. Where the launch was made as a dependent one, the block is set up while
/// the kernel before it still runs.
template <class Context, bool dependent, class Kernel>
__device__ void run_body(const Kernel& kernel, const CudaLaunchState& state) {
    Context ctx(state);
    ctx.clear_counters();
#if __CUDA_ARCH__ >= 900
    if constexpr (dependent) {
        cudaTriggerProgrammaticLaunchCompletion();
        cudaGridDependencySynchronize();
    }
#endif
    __syncthreads();
    if (ctx.group() >= state.num_groups) return;  // whole warps only
    ctx.open_account();
    kernel(ctx);
    ctx.close_block();
}

template <class Kernel>
__global__ void __launch_bounds__(KernelTuning<Kernel>::block_threads, KernelTuning<Kernel>::min_blocks_per_sm)
    run_kernel(const __grid_constant__ Kernel kernel, const __grid_constant__ CudaLaunchState state) {
    run_body<CudaContext, true>(kernel, state);
}

}  // namespace warpath
