#include "bvh/build.h"

#include <algorithm>
#include <numeric>

#include "bvh/node.h"
#include "bvh/ray_setup.h"

namespace warpath {
namespace {

struct MedianBuilder {
    ArrayView<Triangle> triangles;
    ArrayView<Vec3> positions;
    std::vector<uint32_t> order;
    std::vector<BvhNode> nodes;

    Bounds bounds(uint32_t first, uint32_t last) const {
        Bounds b;
        for (uint32_t i = first; i < last; ++i)
            for (uint32_t v : triangles[order[i]].vertex) b.grow(positions[v]);
        return b;
    }

    void set_child(uint32_t node, int i, uint32_t first, uint32_t last) {
        Bounds b = bounds(first, last);
        const float pad = box_padding * max_of(max_magnitude(b.lo), max_magnitude(b.hi));
        b.lo -= Vec3(pad), b.hi += Vec3(pad);
        nodes[node].lo_x[i] = b.lo.x, nodes[node].lo_y[i] = b.lo.y, nodes[node].lo_z[i] = b.lo.z;
        nodes[node].hi_x[i] = b.hi.x, nodes[node].hi_y[i] = b.hi.y, nodes[node].hi_z[i] = b.hi.z;
        const int32_t child = last - first <= max_leaf_size ? encode_leaf(first, last - first) : split(first, last);
        nodes[node].child[i] = child;
    }

    int32_t split(uint32_t first, uint32_t last) {
        const uint32_t node = static_cast<uint32_t>(nodes.size());
        nodes.push_back({});
        const Vec3 extent = bounds(first, last).extent();
        const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
        const uint32_t middle = first + std::max(1u, (last - first) / 2);
        auto key = [&](uint32_t i) {
            const Triangle& t = triangles[i];
            return positions[t.vertex[0]][axis] + positions[t.vertex[1]][axis] + positions[t.vertex[2]][axis];
        };
        std::nth_element(order.begin() + first, order.begin() + std::min(middle, last - 1), order.begin() + last,
                         [&](uint32_t a, uint32_t b) { return key(a) < key(b) || (key(a) == key(b) && a < b); });
        set_child(node, 0, first, middle);
        set_child(node, 1, std::min(middle, last - 1), last);
        return static_cast<int32_t>(node);
    }
};

}  // namespace

BvhView Bvh::view() const {
    BvhView v;
    v.nodes = {columns.nodes.data(), static_cast<uint32_t>(columns.nodes.size())};
    v.triangles = {columns.triangles.data(), static_cast<uint32_t>(columns.triangles.size())};
    return v;
}

Bvh build_bvh(ArrayView<Triangle> triangles, ArrayView<Vec3> positions, const BvhOptions&) {
    Bvh bvh;
    if (triangles.empty()) return bvh;
    MedianBuilder builder{triangles, positions, std::vector<uint32_t>(triangles.size), {}};
    std::iota(builder.order.begin(), builder.order.end(), 0u);
    builder.split(0, triangles.size);
    bvh.columns.nodes = std::move(builder.nodes);
    for (uint32_t id : builder.order) {
        BvhTriangle t{};
        for (int axis = 0; axis < 3; ++axis)
            for (int v = 0; v < 3; ++v) t.axis[axis].vertex[v] = positions[triangles[id].vertex[v]][axis];
        t.axis[0].word = id, t.axis[1].word = triangles[id].flags;
        bvh.columns.triangles.push_back(t);
    }
    return bvh;
}

}  // namespace warpath
