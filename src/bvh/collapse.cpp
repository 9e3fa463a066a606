#include <tbb/parallel_invoke.h>

#include <array>

#include "bvh/builders/huge_pages.h"
#include "bvh/builders/on_threads.h"
#include "bvh/wide.h"

namespace warpath {
namespace {

/// Of a packet of triangles, counted in node visits. Fitted on living_room and sponza, where 0.5 to 1.2 differ little.
constexpr double packet_cost = 0.8;
/// From this level down a subtree is one thread's work.
constexpr uint32_t task_levels = 12;

/// [i]: expected cost of a subtree, times half area, as at most i + 1 children of a wide node.
using Costs = std::array<double, wide_width>;

/// What was decided about a node of the two-child tree.
struct Plan {
    /// [i]: with at most i + 1 children for both sides, how many stand for the first; 0 where fewer children are as
    /// good. The last entry is for the node opened as a wide one and never 0.
    std::array<uint8_t, wide_width> left{};
    uint32_t num_wide = 0;          ///< wide nodes of the subtree, if its root becomes one
    uint32_t first = 0, count = 0;  ///< triangles below; any more than a leaf holds count as one more
    bool is_leaf = false;           ///< as one child it is a leaf
};

/// A child of a wide node: that side of a two-child node.
struct Place {
    const BvhNode* parent;
    int side;
    int32_t child;  ///< an inner node of the two-child tree, or a leaf's code
};
struct Places {
    Place at[wide_width];
    uint32_t size = 0;
};

double half_area(const BvhNode& n, int i) {
    const double x = double(n.hi_x[i]) - n.lo_x[i], y = double(n.hi_y[i]) - n.lo_y[i],
                 z = double(n.hi_z[i]) - n.lo_z[i];
    return x * y + y * z + z * x;
}

double leaf_cost(double area, uint32_t count) {
    return count > max_leaf_size ? double(infinity) : area * packet_cost * ((count + packet_width - 1) / packet_width);
}

template <class F, class G>
void run_both(uint32_t level, const F& f, const G& g) {
    if (level < task_levels) return tbb::parallel_invoke(f, g);
    f();
    g();
}

class Collapser {
  public:
    explicit Collapser(const BvhView& bvh) : bvh_(bvh), plans_(bvh.nodes.size) {}

    WideBvh run() {
        const std::vector<uint32_t> roots = tree_roots();
        std::vector<uint32_t> places;
        uint32_t num_nodes = 0;
        for (const uint32_t root : roots) {
            decide(root, 1.0, 0);  // the root is a wide node whatever its area
            places.push_back(num_nodes);
            num_nodes += plans_[root].num_wide;
        }
        resize_on_huge_pages(wide_.nodes, num_nodes);
        for (size_t i = 0; i < roots.size(); ++i) {
            unused_child_ = bvh_.instances.empty() ? encode_leaf(0, 1) : some_leaf(roots[i]);
            emit(roots[i], places[i], 0);
        }
        wide_.mesh_roots.assign(places.begin() + 1, places.end());
        return std::move(wide_);
    }

  private:
    /// The upper tree's, then the meshes' in their order; every mesh has instances.
    std::vector<uint32_t> tree_roots() const {
        std::vector<uint32_t> roots{0};
        for (const BvhInstance& instance : bvh_.instances) {
            if (instance.mesh + 2 > roots.size()) roots.resize(instance.mesh + 2);
            roots[instance.mesh + 1] = instance.root;
        }
        return roots;
    }
    int32_t some_leaf(uint32_t root) const {
        int32_t child = static_cast<int32_t>(root);
        while (!is_leaf(child)) child = bvh_.nodes[static_cast<uint32_t>(child)].child[0];
        return encode_leaf(decode_leaf(child).first, 1);
    }
    /// The builder's root of a single leaf names it twice.
    static bool is_only_leaf(const BvhNode& node) { return node.child[0] == node.child[1]; }

    Costs decide_side(const BvhNode& node, int side, uint32_t level, Plan& leaf) {
        const double area = half_area(node, side);
        const int32_t child = node.child[side];
        if (!is_leaf(child)) return decide(static_cast<uint32_t>(child), area, level);
        const LeafRange range = decode_leaf(child);
        const bool is_instance = range.first >= bvh_.triangles.size;  // which stays a leaf of its own
        leaf.first = range.first, leaf.count = is_instance ? max_leaf_size + 1 : range.count;
        Costs costs;
        costs.fill(leaf_cost(area, range.count));
        return costs;
    }
    const Plan& plan_of(const BvhNode& node, int side, const Plan& leaf) const {
        return is_leaf(node.child[side]) ? leaf : plans_[static_cast<uint32_t>(node.child[side])];
    }

    /// Too many for a leaf, too, where the second range does not follow the first.
    static uint32_t count_together(const Plan& a, const Plan& b) {
        const uint32_t count = a.count + b.count;
        return a.first + a.count == b.first && count <= max_leaf_size ? count : max_leaf_size + 1;
    }

    /// Bottom up: the least costs of the subtree at `index`, whose box has this area, and its plan.
    Costs decide(uint32_t index, double area, uint32_t level) {
        const BvhNode& node = bvh_.nodes[index];
        Costs sides[2], costs;
        Plan leaves[2];
        run_both(
            level, [&] { sides[0] = decide_side(node, 0, level + 1, leaves[0]); },
            [&] { sides[1] = decide_side(node, 1, level + 1, leaves[1]); });
        const Plan &a = plan_of(node, 0, leaves[0]), &b = plan_of(node, 1, leaves[1]);
        Plan& plan = plans_[index];
        plan.first = a.first;
        plan.count = is_only_leaf(node) ? a.count : count_together(a, b);
        costs[0] = double(infinity);
        for (uint32_t i = 1; i < wide_width; ++i) {
            costs[i] = double(infinity);
            for (uint32_t k = 1; k <= i; ++k) {
                const double cost = sides[0][k - 1] + sides[1][i - k];
                if (plan.left[i] == 0 || cost < costs[i]) costs[i] = cost, plan.left[i] = static_cast<uint8_t>(k);
            }
        }
        const double as_node = costs[wide_width - 1] + area, as_leaf = leaf_cost(area, plan.count);
        plan.is_leaf = as_leaf <= as_node;
        costs[0] = plan.is_leaf ? as_leaf : as_node;
        for (uint32_t i = 1; i < wide_width; ++i) {
            if (costs[i] < costs[i - 1]) continue;
            costs[i] = costs[i - 1];
            if (i + 1 < wide_width) plan.left[i] = 0;
        }
        count_wide(node, plan);
        return costs;
    }

    void count_wide(const BvhNode& node, Plan& plan) const {
        plan.num_wide = 1;
        const Places places = open(node, plan);
        for (uint32_t i = 0; i < places.size; ++i)
            if (!is_leaf(places.at[i].child))
                plan.num_wide += plans_[static_cast<uint32_t>(places.at[i].child)].num_wide;
    }

    /// The children of the wide node that a two-child node becomes.
    Places open(const BvhNode& node, const Plan& plan) const {
        Places places;
        const uint32_t left = plan.left[wide_width - 1];
        place(node, 0, left, places);
        if (!is_only_leaf(node)) place(node, 1, wide_width - left, places);
        return places;
    }
    /// One side of a node as at most n children.
    void place(const BvhNode& node, int side, uint32_t n, Places& places) const {
        const int32_t child = node.child[side];
        const auto put = [&](int32_t what) { places.at[places.size++] = {&node, side, what}; };
        if (is_leaf(child)) return put(child);
        const Plan& plan = plans_[static_cast<uint32_t>(child)];
        while (n > 1 && plan.left[n - 1] == 0) --n;
        if (n == 1) return put(plan.is_leaf ? encode_leaf(plan.first, plan.count) : child);
        const BvhNode& below = bvh_.nodes[static_cast<uint32_t>(child)];
        place(below, 0, plan.left[n - 1], places);
        place(below, 1, n - plan.left[n - 1], places);
    }

    /// Top down: writes the wide nodes of the subtree at `index` from `at` on, each before those below it.
    void emit(uint32_t index, uint32_t at, uint32_t level) {
        const Places places = open(bvh_.nodes[index], plans_[index]);
        WideNode& wide = wide_.nodes[at];
        uint32_t next = at + 1;
        for (uint32_t i = 0; i < wide_width; ++i) {
            if (i >= places.size) {
                for (uint32_t p = 0; p < 6; ++p) wide.planes[p][i] = p % 2 == 0 ? infinity : -infinity;
                wide.child[i] = unused_child_;
                continue;
            }
            const Place& place = places.at[i];
            const BvhNode& n = *place.parent;
            const float* const pairs[6] = {n.lo_x, n.hi_x, n.lo_y, n.hi_y, n.lo_z, n.hi_z};
            for (uint32_t p = 0; p < 6; ++p) wide.planes[p][i] = pairs[p][place.side];
            wide.child[i] = is_leaf(place.child) ? place.child : static_cast<int32_t>(next);
            if (!is_leaf(place.child)) next += plans_[static_cast<uint32_t>(place.child)].num_wide;
        }
        emit_below(places, 0, places.size, wide, level);
    }
    /// Halves on purpose: parallel_invoke takes two.
    void emit_below(const Places& places, uint32_t begin, uint32_t end, const WideNode& wide, uint32_t level) {
        if (begin == end) return;
        if (end - begin > 1) {
            const uint32_t middle = (begin + end) / 2;
            return run_both(
                level, [&] { emit_below(places, begin, middle, wide, level + 1); },
                [&] { emit_below(places, middle, end, wide, level + 1); });
        }
        if (!is_leaf(places.at[begin].child))
            emit(static_cast<uint32_t>(places.at[begin].child), static_cast<uint32_t>(wide.child[begin]), level);
    }

    const BvhView bvh_;
    std::vector<Plan> plans_;
    WideBvh wide_;
    int32_t unused_child_ = 0;  ///< some leaf of the tree at hand
};

}  // namespace

WideBvh collapse(const BvhView& bvh, uint32_t num_threads) {
    if (bvh.nodes.empty()) return {};
    return on_threads(num_threads, [&] { return Collapser(bvh).run(); });
}

}  // namespace warpath
