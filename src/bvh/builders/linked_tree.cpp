#include "bvh/builders/linked_tree.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>

namespace warpath {
namespace {

constexpr uint32_t task_size = 1u << 10;

bool equal(const BuildBox& a, const BuildBox& b) {
    return (_mm_movemask_ps(_mm_and_ps(_mm_cmpeq_ps(a.lo, b.lo), _mm_cmpeq_ps(a.hi, b.hi))) & 7) == 7;
}

}  // namespace

LinkedTree::LinkedTree(SparseTree& tree) : nodes_(tree.nodes.get()), live_(tree.nodes[0].pad_[0]), max_depth_(tree.max_depth) {
    connect(0, 0, 0);
}

void LinkedTree::connect(uint32_t node_index, uint32_t parent_link, uint32_t position) {
    BvhNode& node = nodes_[node_index];
    live_[position] = node_index;
    uint32_t sizes[2];
    for (int i = 0; i < 2; ++i) sizes[i] = is_leaf(node.child[i]) ? 0 : nodes_[node.child[i]].pad_[0];
    const auto connect_child = [&](uint32_t i) {
        if (is_leaf(node.child[i])) return;
        const uint32_t below = static_cast<uint32_t>(node.child[i]), link = 2 * node_index + i;
        connect(below, link, position + 1 + (i == 0 ? 0 : sizes[0]));
        BuildBox fitting = box(2 * below);
        fitting.grow(box(2 * below + 1));
        set_box(link, fitting);
    };
    if (sizes[0] + sizes[1] >= task_size) {
        tbb::parallel_invoke([&] { connect_child(0); }, [&] { connect_child(1); });
    } else {
        connect_child(0);
        connect_child(1);
    }
    node.pad_[0] = parent_link;
    node.pad_[1] = 1 + std::max(height(node.child[0]), height(node.child[1]));
}

void LinkedTree::set_box(uint32_t link, const BuildBox& box) {
    const Bounds b = box.bounds();
    BvhNode& n = nodes_[link / 2];
    const uint32_t i = link % 2;
    n.lo_x[i] = b.lo.x, n.lo_y[i] = b.lo.y, n.lo_z[i] = b.lo.z;
    n.hi_x[i] = b.hi.x, n.hi_y[i] = b.hi.y, n.hi_z[i] = b.hi.z;
}

double LinkedTree::cost() const {
    // Blocks of fixed size, joined in a fixed order: the same sum for any number of threads.
    return tbb::parallel_deterministic_reduce(
        tbb::blocked_range<uint32_t>(0, num_nodes(), 4096), 0.0,
        [&](const tbb::blocked_range<uint32_t>& r, double sum) {
            for (uint32_t k = r.begin(); k < r.end(); ++k) {
                for (uint32_t link = 2 * live_[k]; link < 2 * live_[k] + 2; ++link) {
                    if (!is_leaf(child(link))) sum += double(box(link).half_area());
                }
            }
            return sum;
        },
        [](double a, double b) { return a + b; });
}

/// Copies what is at one link to another.
void LinkedTree::put(uint32_t to, uint32_t from) {
    set_box(to, box(from));
    const int32_t moved = child(from);
    nodes_[to / 2].child[to % 2] = moved;
    if (!is_leaf(moved)) nodes_[moved].pad_[0] = to;
}

bool LinkedTree::may_move(uint32_t link, uint32_t target) const {
    const uint32_t taken = link / 2;
    if (taken == 0 || target / 2 == taken || target == parent_link(taken)) return false;
    uint32_t depth = 0;
    for (uint32_t at = target;; at = parent_link(at / 2)) {
        if (at == link) return false;  // it would hang on itself
        ++depth;
        if (at / 2 == 0) break;
    }
    return depth + 1 + std::max(height(child(link)), height(child(target))) <= max_depth_;
}

/// Makes boxes and heights above a node right again after a change below it; ends where nothing changes any more.
double LinkedTree::refit(uint32_t node_index) {
    double gain = 0.0;
    while (true) {
        BvhNode& node = nodes_[node_index];
        const uint32_t new_height = 1 + std::max(height(node.child[0]), height(node.child[1]));
        const bool same_height = new_height == node.pad_[1];
        node.pad_[1] = new_height;
        if (node_index == 0) return gain;
        const uint32_t link = parent_link(node_index);
        BuildBox fitting = box(2 * node_index);
        fitting.grow(box(2 * node_index + 1));
        const BuildBox old = box(link);
        const bool same_box = equal(old, fitting);
        if (same_height && same_box) return gain;
        if (!same_box) {
            set_box(link, fitting);
            gain += double(old.half_area()) - double(fitting.half_area());
        }
        node_index = link / 2;
    }
}

///        hole            target                 hole            target
///          |               |                      |               |
///        taken             t         ->           s             taken
///        /   |                                                  /   |
///     link   s                                               link   t
/// Moving back to `hole` is the inverse.
double LinkedTree::relink(uint32_t link, uint32_t target) {
    const uint32_t taken = link / 2, sibling = link ^ 1u, hole = parent_link(taken);
    const double area_before = double(box(hole).half_area());
    put(hole, sibling);
    put(sibling, target);
    BuildBox fitting = box(link);
    fitting.grow(box(sibling));
    set_box(target, fitting);
    nodes_[target / 2].child[target % 2] = static_cast<int32_t>(taken);
    nodes_[taken].pad_[0] = target;
    nodes_[taken].pad_[1] = 1 + std::max(height(child(link)), height(child(sibling)));
    const double gain = area_before - double(fitting.half_area());
    return gain + refit(hole / 2) + refit(target / 2);
}

double LinkedTree::move(uint32_t link, uint32_t target) {
    if (!may_move(link, target)) return 0.0;
    const uint32_t hole = parent_link(link / 2);
    const double gain = relink(link, target);
    if (gain > 0.0) return gain;
    relink(link, hole);
    return 0.0;
}

}  // namespace warpath
