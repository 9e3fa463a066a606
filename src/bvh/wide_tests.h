#pragma once

#include "bvh/intersect_triangle.h"
#include "bvh/wide.h"

/// What a ray on the CPU asks of a whole node and of a packet of triangles, twice: in plain C++, and for processors
/// with AVX2 and FMA. The two round alike operation by operation, so they give the same bits; and the triangles' are
/// those of intersect_triangle.h.
namespace warpath {

/// Hits of a packet's triangles with the ray's line. Barycentric weights of vertices 1 and 2 are shares of `sum`, to be
/// divided where somebody wants them.
struct PacketHits {
    alignas(32) float t[packet_width], weight_1[packet_width], weight_2[packet_width], sum[packet_width];

    Hit hit(uint32_t i, uint32_t prim_id) const {
        const float scale = 1.0f / sum[i];
        return {t[i], weight_1[i] * scale, weight_2[i] * scale, prim_id};
    }
    /// Tests one of a packet's triangles by itself.
    void test(const WidePacket& packet, uint32_t i, const RayShear& ray) {
        sum[i] = 1.0f;
        t[i] = ScalarTriangles::intersect(packet.triangle(i), ray, weight_1[i], weight_2[i]);
    }
};

class PortableWideTests {
  public:
    static bool runs_here() { return true; }

    explicit PortableWideTests(const Ray& ray, float relative_slack = origin_slack)
        : slabs_(make_slabs(ray, relative_slack)), shear_(make_shear(ray)), t_min_(max_of(ray.t_min, 0.0f)) {}

    /// Bit i: the ray meets the box of child i within [t_min, t_limit], first at near[i], which is at least t_min.
    uint32_t children(const WideNode& node, float t_limit, float* near) const {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < wide_width; ++i) {
            float first[3], last[3];
            for (int axis = 0; axis < 3; ++axis) {
                const float inv = slabs_.inv_dir[axis];
                const uint32_t flip = inv < 0.0f;
                first[axis] = fmaf(node.planes[2 * axis + flip][i], inv, slabs_.near_offset[axis]);
                last[axis] = fmaf(node.planes[2 * axis + 1 - flip][i], inv, slabs_.far_offset[axis]);
            }
            // The second operand is taken where one is NaN, as maxps and minps do.
            near[i] = max_of(max_of(first[0], first[1]), max_of(first[2], t_min_));
            const float far = min_of(min_of(last[0], last[1]), min_of(last[2], t_limit));
            mask |= static_cast<uint32_t>(near[i] <= far) << i;
        }
        return mask;
    }
    /// Writes the children that the mask has to `at`, the last one first. There is room for all of them.
    static void put_children(const WideNode& node, uint32_t mask, int32_t* at) {
        for (uint32_t i = wide_width; i-- > 0;)
            if (mask >> i & 1) *at++ = node.child[i];
    }
    /// Bit i: triangle i is met within [t_min, t_limit]. Requires 1 <= count <= packet_width.
    uint32_t triangles(const WidePacket& packet, uint32_t count, float t_limit, PacketHits& hits) const {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < count; ++i) {
            hits.test(packet, i, shear_);
            mask |= static_cast<uint32_t>(hits.t[i] >= t_min_ && hits.t[i] <= t_limit) << i;
        }
        return mask;
    }

  private:
    RaySlabs slabs_;
    RayShear shear_;
    float t_min_;
};

}  // namespace warpath
