#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <array>

#include "bvh/builders/huge_pages.h"
#include "bvh/builders/on_threads.h"
#include "bvh/wide.h"

namespace warpath {
namespace {

/// Of a packet of triangles, counted in node visits. On the three scenes of the benchmark 0.7 to 1.3 differ little.
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
    uint32_t num_packets = 0;       ///< of it
    uint32_t first = 0, count = 0;  ///< triangles below; any more than a leaf holds count as one more
    bool is_leaf = false;           ///< as one child it is a leaf
    double cost = 0.0;              ///< as one child
    double surface = 0.0;           ///< of the triangles below, within their leaves' boxes
};

/// A child of a wide node: that side of a two-child node.
struct Place {
    const BvhNode* parent = nullptr;
    int side = 0;
    int32_t child = 0;    ///< an inner node of the two-child tree, or a leaf's code
    uint32_t packet = 0;  ///< the first of the subtree's
    double score = 0.0;   ///< how soon a ray that ends at any hit goes there
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
    return count > max_leaf_size ? double(infinity) : area * packet_cost;
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
        std::vector<uint32_t> places, first_packets;
        uint32_t num_nodes = 0, num_packets = 0;
        for (const uint32_t root : roots) {
            decide(root, 1.0, 0);  // the root is a wide node whatever its area
            places.push_back(num_nodes), first_packets.push_back(num_packets);
            num_nodes += plans_[root].num_wide, num_packets += plans_[root].num_packets;
        }
        resize_on_huge_pages(wide_.nodes, num_nodes);
        resize_on_huge_pages(wide_.packets, num_packets);
        for (size_t i = 0; i < roots.size(); ++i) {
            unused_child_ = some_leaf(roots[i], first_packets[i]);
            emit(roots[i], places[i], first_packets[i], 0);
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
    /// As the wide tree names it; an instance only where the tree has nothing else.
    int32_t some_leaf(uint32_t root, uint32_t first_packet) const {
        if (plans_[root].num_packets > 0) return encode_leaf(first_packet, 1);
        int32_t child = static_cast<int32_t>(root);
        while (!is_leaf(child)) child = bvh_.nodes[static_cast<uint32_t>(child)].child[0];
        return child;
    }
    bool is_instance(int32_t leaf) const { return decode_leaf(leaf).first >= bvh_.triangles.size; }
    /// The builder's root of a single leaf names it twice.
    static bool is_only_leaf(const BvhNode& node) { return node.child[0] == node.child[1]; }

    Costs decide_side(const BvhNode& node, int side, uint32_t level, Plan& leaf) {
        const double area = half_area(node, side);
        const int32_t child = node.child[side];
        if (!is_leaf(child)) return decide(static_cast<uint32_t>(child), area, level);
        const LeafRange range = decode_leaf(child);
        // An instance stays a leaf of its own.
        leaf.first = range.first, leaf.count = is_instance(child) ? max_leaf_size + 1 : range.count;
        leaf.surface = surface_of(child, node, side);
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
        plan.surface = is_only_leaf(node) ? a.surface : a.surface + b.surface;
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
        plan.cost = costs[0] = plan.is_leaf ? as_leaf : as_node;
        for (uint32_t i = 1; i < wide_width; ++i) {
            if (costs[i] < costs[i - 1]) continue;
            costs[i] = costs[i - 1];
            if (i + 1 < wide_width) plan.left[i] = 0;
        }
        count_wide(node, plan);
        return costs;
    }

    void count_wide(const BvhNode& node, Plan& plan) const {
        plan.num_wide = 1, plan.num_packets = 0;
        const Places places = open(node, plan);
        for (uint32_t i = 0; i < places.size; ++i) {
            const int32_t child = places.at[i].child;
            plan.num_wide += is_leaf(child) ? 0 : plans_[static_cast<uint32_t>(child)].num_wide;
            plan.num_packets += is_leaf(child) ? !is_instance(child) : plans_[static_cast<uint32_t>(child)].num_packets;
        }
    }

    /// The children of the wide node that a two-child node becomes.
    Places open(const BvhNode& node, const Plan& plan) const {
        Places places;
        const uint32_t left = plan.left[wide_width - 1];
        place(node, 0, left, places);
        if (!is_only_leaf(node)) place(node, 1, wide_width - left, places);
        return places;
    }
    /// First comes where a hit is likely for the work: expected hits of a ray that meets the box are surface over half
    /// area, of which e / (1 + e) is taken as the chance of any; work is the subtree's cost over half area.
    void order(Places& places) const {
        for (uint32_t i = 0; i < places.size; ++i) {
            Place place = places.at[i];
            const double area = half_area(*place.parent, place.side);
            double surface, cost;
            if (is_leaf(place.child)) {
                surface = surface_of(place.child, *place.parent, place.side), cost = packet_cost * area;
            } else {
                const Plan& plan = plans_[static_cast<uint32_t>(place.child)];
                surface = plan.surface, cost = plan.cost;
            }
            const double score = surface * area / ((surface + area) * cost);
            place.score = score > 0.0 ? score : 0.0;
            uint32_t k = i;
            for (; k > 0 && places.at[k - 1].score < place.score; --k) places.at[k] = places.at[k - 1];
            places.at[k] = place;
        }
    }
    /// An instance's as the builder counts it: half of its box's half area.
    double surface_of(int32_t code, const BvhNode& node, int side) const {
        double surface = 0.0;
        const double area = half_area(node, side);
        if (is_instance(code)) return 0.5 * area;
        const LeafRange leaf = decode_leaf(code);
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            const Vec3 a = bvh_.triangles[i].vertex(0), b = bvh_.triangles[i].vertex(1), c = bvh_.triangles[i].vertex(2);
            Bounds box;
            box.grow(a), box.grow(b), box.grow(c);
            const double whole = 0.5 * double(length(cross(b - a, c - a))), box_area = double(box.half_area());
            surface += box_area > area ? whole * area / box_area : whole;
        }
        return surface;
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

    /// Top down: writes the wide nodes of the subtree at `index` from `at` on, each before those below it, and their
    /// packets in the same order.
    void emit(uint32_t index, uint32_t at, uint32_t packet, uint32_t level) {
        Places places = open(bvh_.nodes[index], plans_[index]);
        order(places);
        WideNode& wide = wide_.nodes[at];
        uint32_t next = at + 1;
        for (uint32_t i = 0; i < wide_width; ++i) {
            if (i >= places.size) {
                for (uint32_t p = 0; p < 6; ++p) wide.planes[p][i] = p % 2 == 0 ? infinity : -infinity;
                wide.child[i] = unused_child_;
                continue;
            }
            Place& place = places.at[i];
            const BvhNode& n = *place.parent;
            const float* const pairs[6] = {n.lo_x, n.hi_x, n.lo_y, n.hi_y, n.lo_z, n.hi_z};
            for (uint32_t p = 0; p < 6; ++p) wide.planes[p][i] = pairs[p][place.side];
            wide.child[i] = is_leaf(place.child) ? emit_leaf(place.child, packet) : static_cast<int32_t>(next);
            if (!is_leaf(place.child)) next += plans_[static_cast<uint32_t>(place.child)].num_wide;
        }
        for (uint32_t i = 0; i < places.size; ++i) {
            if (is_leaf(places.at[i].child)) continue;
            places.at[i].packet = packet;
            packet += plans_[static_cast<uint32_t>(places.at[i].child)].num_packets;
        }
        emit_below(places, 0, places.size, wide, level);
    }
    /// Triangles become the packet at `at`, which moves on.
    int32_t emit_leaf(int32_t code, uint32_t& at) {
        if (is_instance(code)) return code;
        const LeafRange leaf = decode_leaf(code);
        WidePacket& packet = wide_.packets[at];
        for (uint32_t i = 0; i < packet_width; ++i) {
            const BvhTriangle& t = bvh_.triangles[leaf.first + std::min(i, leaf.count - 1)];
            for (uint32_t axis = 0; axis < 3; ++axis)
                for (uint32_t v = 0; v < 3; ++v) packet.vertex[axis][v][i] = t.axis[axis].vertex[v];
            packet.word[i] = t.prim_id() | (t.flags() & triangle_has_alpha ? WidePacket::has_alpha : 0);
        }
        return encode_leaf(at++, leaf.count);
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
        const Place& place = places.at[begin];
        if (!is_leaf(place.child))
            emit(static_cast<uint32_t>(place.child), static_cast<uint32_t>(wide.child[begin]), place.packet, level);
    }

    const BvhView bvh_;
    std::vector<Plan> plans_;
    WideBvh wide_;
    int32_t unused_child_ = 0;  ///< some leaf of the tree at hand, as the wide one names it
};

}  // namespace

WideBvh collapse(const BvhView& bvh, uint32_t num_threads) {
    if (bvh.nodes.empty()) return {};
    return on_threads(num_threads, [&] { return Collapser(bvh).run(); });
}

}  // namespace warpath
