#pragma once

#include <vector>

#include "experiments/cuda/cuda_handles.cuh"
#include "experiments/traversal_cursors.h"
#include "experiments/traversal_probe.h"
#include "schedulers/parts/grab.h"
#include "schedulers/parts/lane_tracer.h"

/// Kernels that do nothing but trace: a thread per ray, and resident warps whose lanes take new rays. Compiled twice: as they are timed, without any account
/// (traversal_bare.cu), and with counts (traversal_probe.cu).
namespace warpath::experiments {

constexpr unsigned trace_block_threads = 128;

/// What a kernel works on. View: BvhView or PlainView.
template <class View>
struct TraceJob {
    View tree;
    const Ray* rays;
    uint64_t num_rays;
    Hit* hits;            ///< of closest hits
    uint32_t* occluded;   ///< of any hits
    uint64_t* head;       ///< rays handed out; zero at first
    uint32_t refill_below;
    TraversalTotals* totals;  ///< of kernels that count
};

/// Rays and hits pass through once: they are not to push nodes out of the caches.
__device__ inline Ray load_ray(const Ray* p) {
    static_assert(sizeof(Ray) == 2 * sizeof(float4));
    const float4 a = __ldcs(reinterpret_cast<const float4*>(p)), b = __ldcs(reinterpret_cast<const float4*>(p) + 1);
    return {{a.x, a.y, a.z}, a.w, {b.x, b.y, b.z}, b.w};
}
template <bool any, class View>
__device__ inline void store_result(const TraceJob<View>& job, uint64_t ray, const Hit& hit) {
    static_assert(sizeof(Hit) == sizeof(float4));
    if constexpr (any)
        __stcs(job.occluded + ray, hit.prim_id != invalid_id ? 1u : 0u);
    else
        __stcs(reinterpret_cast<float4*>(job.hits + ray), make_float4(hit.t, hit.u, hit.v, __uint_as_float(hit.prim_id)));
}
__device__ inline void add_totals(TraversalTotals* totals, const TraversalCost& cost) {
    const auto add = [](uint64_t& sum, uint32_t n) { atomicAdd(reinterpret_cast<unsigned long long*>(&sum), static_cast<unsigned long long>(n)); };
    add(totals->node_steps, cost.node_steps), add(totals->triangle_tests, cost.triangle_tests);
    add(totals->node_group_steps, cost.node_group_steps), add(totals->triangle_group_tests, cost.triangle_group_tests);
}

/// A list of rays as LaneTracer sees it: the slot is the ray's number.
template <class Traversal, bool counts>
class ListCursor {
  public:
    using Job = TraceJob<typename Traversal::View>;
    __device__ ListCursor(const Job& job, typename Traversal::Stack& stack) : job_(job), walk_(stack) {}

    __device__ void begin(uint32_t ray, StageId) {
        cost_ = {};
        walk_.begin(job_.tree, load_ray(job_.rays + ray));
    }
    __device__ bool done() const { return walk_.done(); }
    __device__ void step(uint32_t, StageId) { Traversal::step(walk_, job_.tree, cost_); }
    template <class Ctx>
    __device__ StageId finish(Ctx&, uint32_t ray, StageId) const {
        store_result<Traversal::any>(job_, ray, walk_.result());
        if constexpr (counts) add_totals(job_.totals, cost_);
        return StageId::Shade;
    }

  private:
    const Job& job_;
    typename Traversal::Cursor walk_;
    TraversalCost cost_;
};

/// As much of a context (core/context.h) as tracing lists asks for; it keeps no accounts.
class BareContext {
  public:
    __device__ uint32_t lane() const { return threadIdx.x % 32; }
    __device__ uint32_t ballot(bool vote) const { return __ballot_sync(~0u, vote); }
    __device__ uint32_t ticks() const { return 0; }
    __device__ void count(Counter, uint32_t) {}
    __device__ void count_batch(StageId, bool) {}
    template <class T>
    __device__ T broadcast(T value, uint32_t from) const {
        return __shfl_sync(~0u, value, from);
    }
    template <Scope scope, class T>
    __device__ T add(T* p, T n) {
        return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(n)));
    }
};

template <class Traversal, bool counts>
__device__ void trace_one(const TraceJob<typename Traversal::View>& job) {
    const uint64_t ray = static_cast<uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (ray >= job.num_rays) return;
    TraversalCost cost;
    store_result<Traversal::any>(job, ray, trace_ray<Traversal>(job.tree, load_ray(job.rays + ray), cost));
    if constexpr (counts) add_totals(job.totals, cost);
}

/// TraceStep (schedulers/parts/bounce_steps.h) without lists: lanes that are done take the next rays.
template <class Traversal, bool counts>
__device__ void trace_list(const TraceJob<typename Traversal::View>& job) {
    BareContext ctx;
    typename Traversal::Stack stack;
    LaneTracer<ListCursor<Traversal, counts>> tracer(ListCursor<Traversal, counts>(job, stack));
    WorkRange range;
    bool more = job.num_rays > 0;
    while (more || tracer.num_held(ctx) > 0) {
        tracer.run(ctx, more ? job.refill_below : 1);
        tracer.finish(ctx);
        const uint32_t idle = more ? ctx.ballot(tracer.idle()) : 0;
        if (idle != 0) {
            if (range.empty()) range = SharedCounter{job.head, 32}.grab(ctx, job.num_rays);
            more = !range.empty();
            const uint64_t ray = range.begin + rank_of_lane(idle, ctx.lane());
            if (more && tracer.idle() && ray < range.end) tracer.take(static_cast<uint32_t>(ray), StageId::Intersect);
            range.begin += count_lanes(idle);
        }
        tracer.start();
    }
}

template <class Traversal, int min_blocks, bool counts>
__global__ void __launch_bounds__(trace_block_threads, min_blocks) trace_one_kernel(const __grid_constant__ TraceJob<typename Traversal::View> job) {
    trace_one<Traversal, counts>(job);
}
template <class Traversal, int min_blocks, bool counts>
__global__ void __launch_bounds__(trace_block_threads, min_blocks) trace_list_kernel(const __grid_constant__ TraceJob<typename Traversal::View> job) {
    trace_list<Traversal, counts>(job);
}

/// A kernel with its choices; one of the two pairs is set, by whether the query is any-hit.
struct TraceKernel {
    TraversalKernel description;
    uint32_t refill_below = 0;  ///< 0: a thread per ray
    void (*plain[2])(TraceJob<PlainView>) = {};
    void (*warpath[2])(TraceJob<BvhView>) = {};
};

template <int min_blocks, bool counts>
TraceKernel plain_kernel(TraversalKernel description, uint32_t refill_below) {
    description.plain = true;
    if (refill_below == 0)
        return {description, 0, {trace_one_kernel<PlainTraversal<false>, min_blocks, counts>, trace_one_kernel<PlainTraversal<true>, min_blocks, counts>}, {}};
    return {description, refill_below, {trace_list_kernel<PlainTraversal<false>, min_blocks, counts>, trace_list_kernel<PlainTraversal<true>, min_blocks, counts>}, {}};
}
template <int min_blocks, bool counts>
TraceKernel warpath_kernel(TraversalKernel description, uint32_t refill_below) {
    if (refill_below == 0)
        return {description, 0, {}, {trace_one_kernel<WarpathTraversal<false>, min_blocks, counts>, trace_one_kernel<WarpathTraversal<true>, min_blocks, counts>}};
    return {description, refill_below, {}, {trace_list_kernel<WarpathTraversal<false>, min_blocks, counts>, trace_list_kernel<WarpathTraversal<true>, min_blocks, counts>}};
}

/// The timed kernels.
std::vector<TraceKernel> bare_kernels();

}  // namespace warpath::experiments
