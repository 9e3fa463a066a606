#include "experiments/plain_bvh.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <numeric>

namespace warpath::experiments {
namespace {

constexpr int num_bins = 16;
constexpr uint32_t most_in_leaf = 4, task_size = 4096, parallel_size = 200'000;

/// A node while the tree is built. A subtree over n triangles lies in 2 n - 1 slots: the left child next to its parent, the right one behind all of the left, so
/// that no two tasks ask for slots.
struct BuildNode {
    Bounds box;
    uint32_t first, count;      ///< of the order of triangles
    uint32_t left, right;       ///< slots; 0: a leaf
};

struct Bin {
    Bounds box;
    uint32_t count = 0;
};
struct Bins {
    std::array<std::array<Bin, num_bins>, 3> axis;
    void add(const Bins& other) {
        for (int a = 0; a < 3; ++a)
            for (int i = 0; i < num_bins; ++i) axis[a][i].box.grow(other.axis[a][i].box), axis[a][i].count += other.axis[a][i].count;
    }
};

/// From a centre to its bin on each axis.
struct BinScale {
    Vec3 lo{0.0f}, scale{0.0f};
    explicit BinScale(const Bounds& centers) : lo(centers.lo) {
        const Vec3 extent = centers.extent();
        for (int a = 0; a < 3; ++a) scale[a] = extent[a] > 0 ? num_bins * 0.9999f / extent[a] : 0.0f;
    }
    int bin(Vec3 center, int a) const { return std::min(num_bins - 1, static_cast<int>((center[a] - lo[a]) * scale[a])); }
};

struct Split {
    int axis = -1, last_left = 0;
    float cost = infinity;  ///< half areas times counts, of both sides
};

class PlainBuilder {
  public:
    explicit PlainBuilder(const std::vector<Vec3>& soup) : num_triangles_(static_cast<uint32_t>(soup.size() / 3)) {
        boxes_ = std::make_unique_for_overwrite<Bounds[]>(num_triangles_);
        centers_ = std::make_unique_for_overwrite<Vec3[]>(num_triangles_);
        order_ = std::make_unique_for_overwrite<uint32_t[]>(num_triangles_);
        nodes_ = std::make_unique_for_overwrite<BuildNode[]>(size_t{2} * num_triangles_);
        tbb::parallel_for(0u, num_triangles_, [&](uint32_t i) {
            Bounds box;
            for (uint32_t k = 0; k < 3; ++k) box.grow(soup[size_t{3} * i + k]);
            boxes_[i] = box, centers_[i] = (box.lo + box.hi) * 0.5f, order_[i] = i;
        });
        build(0, 0, num_triangles_, 1);
    }
    const BuildNode& node(uint32_t slot) const { return nodes_[slot]; }
    const uint32_t* order() const { return order_.get(); }

  private:
    void build(uint32_t slot, uint32_t first, uint32_t count, uint32_t depth) {
        BuildNode& node = nodes_[slot];
        node = {bounds_of(first, count, [&](uint32_t i) { return boxes_[i]; }), first, count, 0, 0};
        if (count == 1) return;
        const BinScale scale(bounds_of(first, count, [&](uint32_t i) { return Bounds{centers_[i], centers_[i]}; }));
        const Split split = find_split(first, count, scale);
        const float area = node.box.half_area();
        if (count <= most_in_leaf && (split.axis < 0 || area + split.cost >= area * static_cast<float>(count))) return;
        uint32_t num_left = count / 2;
        if (split.axis >= 0 && depth + static_cast<uint32_t>(std::bit_width(count)) < max_bvh_depth) {
            uint32_t* middle = std::partition(&order_[first], &order_[first] + count, [&](uint32_t i) { return scale.bin(centers_[i], split.axis) <= split.last_left; });
            const auto n = static_cast<uint32_t>(middle - &order_[first]);
            if (n > 0 && n < count) num_left = n;
        }
        node.left = slot + 1, node.right = slot + 2 * num_left;
        const auto left = [&] { build(slot + 1, first, num_left, depth + 1); };
        const auto right = [&] { build(slot + 2 * num_left, first + num_left, count - num_left, depth + 1); };
        if (count > task_size) {
            tbb::parallel_invoke(left, right);
        } else {
            left();
            right();
        }
    }
    /// The union of box(triangle) over a part of the order.
    template <class Box>
    Bounds bounds_of(uint32_t first, uint32_t count, const Box& box) const {
        const auto sum = [&](uint32_t begin, uint32_t end, Bounds all) {
            for (uint32_t i = begin; i < end; ++i) all.grow(box(order_[i]));
            return all;
        };
        if (count < parallel_size) return sum(first, first + count, {});
        return tbb::parallel_reduce(
            tbb::blocked_range<uint32_t>(first, first + count, task_size), Bounds{}, [&](const auto& r, Bounds all) { return sum(r.begin(), r.end(), all); },
            [](Bounds a, const Bounds& b) { return a.grow(b), a; });
    }
    Bins bins_of(uint32_t first, uint32_t count, const BinScale& scale) const {
        const auto add = [&](uint32_t begin, uint32_t end, Bins bins) {
            for (uint32_t i = begin; i < end; ++i)
                for (int a = 0; a < 3; ++a) {
                    Bin& bin = bins.axis[a][scale.bin(centers_[order_[i]], a)];
                    bin.box.grow(boxes_[order_[i]]), ++bin.count;
                }
            return bins;
        };
        if (count < parallel_size) return add(first, first + count, {});
        return tbb::parallel_reduce(
            tbb::blocked_range<uint32_t>(first, first + count, 1u << 16), Bins{}, [&](const auto& r, const Bins& bins) { return add(r.begin(), r.end(), bins); },
            [](Bins a, const Bins& b) { return a.add(b), a; });
    }
    Split find_split(uint32_t first, uint32_t count, const BinScale& scale) const {
        const Bins bins = bins_of(first, count, scale);
        Split best;
        for (int a = 0; a < 3; ++a) {
            if (scale.scale[a] == 0) continue;
            float right_cost[num_bins];
            Bin sum;
            for (int i = num_bins - 1; i > 0; --i) {
                sum.box.grow(bins.axis[a][i].box), sum.count += bins.axis[a][i].count;
                right_cost[i] = sum.count ? sum.box.half_area() * static_cast<float>(sum.count) : infinity;
            }
            sum = {};
            for (int i = 0; i + 1 < num_bins; ++i) {
                sum.box.grow(bins.axis[a][i].box), sum.count += bins.axis[a][i].count;
                if (sum.count == 0) continue;
                const float cost = sum.box.half_area() * static_cast<float>(sum.count) + right_cost[i + 1];
                if (cost < best.cost) best = {a, i, cost};
            }
        }
        return best;
    }

    uint32_t num_triangles_;
    std::unique_ptr<Bounds[]> boxes_;
    std::unique_ptr<Vec3[]> centers_;
    std::unique_ptr<uint32_t[]> order_;
    std::unique_ptr<BuildNode[]> nodes_;
};

/// Lays nodes out so that the children of a node are neighbours and the left subtree follows; triangles in the order in which their leaves are met.
class PlainLayout {
  public:
    PlainLayout(const std::vector<Vec3>& soup, const PlainBuilder& builder) : soup_(soup), builder_(builder), root_area_(builder.node(0).box.half_area()) {
        tree_.triangles.reserve(soup.size() / 3);
        tree_.nodes.resize(1);
        const BuildNode& root = builder.node(0);
        if (root.left == 0) {  // the root is a node all the same: both of its children are the one leaf
            const int32_t leaf = add_leaf(root);
            for (int i = 0; i < 2; ++i) store(tree_.nodes[0], i, root.box, leaf);
            tree_.max_depth = 1;
        } else {
            lay_out();
        }
    }
    PlainTree take() { return std::move(tree_); }

  private:
    struct Item {
        uint32_t slot, index, depth;
    };

    void lay_out() {
        std::vector<Item> stack = {{0, 0, 1}};
        while (!stack.empty()) {
            const Item item = stack.back();
            stack.pop_back();
            tree_.max_depth = std::max(tree_.max_depth, item.depth);
            const BuildNode& node = builder_.node(item.slot);
            tree_.sah_cost += share(node);
            const uint32_t slots[2] = {node.left, node.right};
            int32_t codes[2];
            for (int i = 0; i < 2; ++i) {
                const BuildNode& child = builder_.node(slots[i]);
                if (child.left == 0) {
                    codes[i] = add_leaf(child);
                } else {
                    codes[i] = static_cast<int32_t>(tree_.nodes.size());
                    tree_.nodes.emplace_back();
                }
            }
            for (int i = 1; i >= 0; --i) {
                store(tree_.nodes[item.index], i, builder_.node(slots[i]).box, codes[i]);
                if (!is_leaf(codes[i])) stack.push_back({slots[i], static_cast<uint32_t>(codes[i]), item.depth + 1});
            }
        }
    }
    double share(const BuildNode& node) const { return root_area_ > 0 ? node.box.half_area() / root_area_ : 0; }
    int32_t add_leaf(const BuildNode& leaf) {
        const auto first = static_cast<uint32_t>(tree_.triangles.size());
        for (uint32_t i = leaf.first; i < leaf.first + leaf.count; ++i) tree_.triangles.push_back(plain_triangle(soup_, builder_.order()[i]));
        tree_.sah_cost += share(leaf) * leaf.count;
        return encode_leaf(first, leaf.count);
    }
    static void store(BvhNode& node, int i, const Bounds& box, int32_t code) {
        node.lo_x[i] = box.lo.x, node.lo_y[i] = box.lo.y, node.lo_z[i] = box.lo.z;
        node.hi_x[i] = box.hi.x, node.hi_y[i] = box.hi.y, node.hi_z[i] = box.hi.z;
        node.child[i] = code;
    }

    const std::vector<Vec3>& soup_;
    const PlainBuilder& builder_;
    double root_area_;
    PlainTree tree_;
};

}  // namespace

PlainTree build_plain_tree(const std::vector<Vec3>& soup) {
    const PlainBuilder builder(soup);
    return PlainLayout(soup, builder).take();
}

}  // namespace warpath::experiments
