#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/plain_bvh.h"
#include "experiments/traversal_scenes.h"

namespace warpath::experiments {

/// A tree over the triangles of a scene, in the layouts of both traversals.
struct TraversalTree {
    std::string name;
    std::vector<BvhNode> nodes;
    std::vector<BvhTriangle> triangles;          ///< empty: only the plain traversal takes this tree
    std::vector<PlainTriangle> plain_triangles;  ///< in the same order
    uint32_t max_depth = 0;
    double sah_cost = 0, build_ms = 0;
    /// Of what a traversal reads.
    uint64_t size_bytes() const { return nodes.size() * sizeof(BvhNode) + plain_triangles.size() * sizeof(PlainTriangle); }
    BvhView view() const;
    PlainView plain_view() const { return {nodes.data(), plain_triangles.data()}; }
};
static_assert(sizeof(PlainTriangle) == sizeof(BvhTriangle));

/// A way to trace a set of rays.
struct TraversalKernel {
    std::string name;
    bool plain = false;         ///< the plain traversal, else warpath's
    bool is_baseline = false;   ///< what the others are compared with, on the plain tree
    std::string why_not = {};   ///< not empty: it cannot run here
};

/// Of one kernel for one kind of query; 0 where it makes no sense.
struct KernelResources {
    int registers = 0, local_bytes = 0;  ///< of a thread
    int warps_per_sm = 0;                ///< resident together
};

/// Sums over all rays.
struct TraversalTotals {
    uint64_t node_steps = 0, triangle_tests = 0;
    uint64_t node_group_steps = 0, triangle_group_tests = 0;  ///< by groups of lanes that step side by side
    void add(const TraversalCost& cost) {
        node_steps += cost.node_steps, triangle_tests += cost.triangle_tests;
        node_group_steps += cost.node_group_steps, triangle_group_tests += cost.triangle_group_tests;
    }
};

/// What a kernel found out: for closest hits the hits, for any hits whether there is one. Valid until the next call of the probe.
struct TraversalResults {
    const Hit* hits = nullptr;
    const uint32_t* occluded = nullptr;  ///< 0 or 1
};

/// Traces sets of rays through the trees of a scene.
/// Threads: one.
class TraversalProbe {
  public:
    virtual ~TraversalProbe() = default;
    virtual std::vector<TraversalKernel> kernels() const = 0;
    virtual KernelResources resources(size_t kernel, bool any) const = 0;
    /// Takes a scene's trees in; those of the scene before are dropped. `scene` must stay as long as they are used. Errors:  OutOfMemory; Device.
    virtual void set_scene(const TraversalScene& scene, const std::vector<TraversalTree>& trees) = 0;
    /// Nearest hits by the plain traversal and the first tree. Shapes:  hits[rays.size()].
    virtual void trace(const std::vector<Ray>& rays, std::vector<Hit>& hits) = 0;
    /// The rays of the calls below; their results are not known.
    /// `from_camera`: the renderer's step traces such rays side by side.
    virtual void set_rays(const std::vector<Ray>& rays, bool any, bool from_camera = false) = 0;
    /// Traces all rays, and gives the time of that alone in milliseconds.
    virtual double run_ms(size_t kernel, size_t tree) = 0;
    /// Traces all rays after results were made void.
    virtual TraversalResults results(size_t kernel, size_t tree) = 0;
    virtual TraversalTotals totals(size_t kernel, size_t tree) = 0;
    /// For some of the rays, the distance to the nearest triangle in [t_min, t_max) by testing all of them in double precision; infinity for none.
    virtual std::vector<double> exact_distances(const std::vector<uint32_t>& rays) = 0;
    /// Instructions that the device can issue in a millisecond, for all groups together; 0 where that is not known.
    virtual double issue_slots_per_ms() const = 0;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<TraversalProbe> make_traversal_probe(int device);
/// Threads of this machine; 0: all. Groups have one lane.
std::unique_ptr<TraversalProbe> make_cpu_traversal_probe(uint32_t num_threads);

}  // namespace warpath::experiments
