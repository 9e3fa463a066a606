#pragma once

#include "bvh/wide_tests.h"

#if defined(__x86_64__) && !defined(__CUDACC__)
#define WARPATH_HAS_AVX2_TESTS 1
#include <immintrin.h>
/// Marks functions of a program for older processors that are compiled for AVX2 all the same: by themselves, or with
/// all that they call. Where the whole program is compiled for AVX2 (the default), nothing needs to be said.
#if defined(__AVX2__) && defined(__FMA__)
#define WARPATH_AVX2
#define WARPATH_AVX2_WHOLE
#else
#define WARPATH_AVX2 __attribute__((target("avx2,fma")))
#define WARPATH_AVX2_WHOLE __attribute__((target("avx2,fma"), flatten))
#endif

namespace warpath {

namespace detail {
/// Lanes of the bits that a mask has, the highest first, as indices for _mm256_permutevar8x32.
struct alignas(64) LanesOfMask {
    uint64_t lanes[256] = {};  ///< a byte each
    constexpr LanesOfMask() {
        for (uint32_t mask = 0; mask < 256; ++mask) {
            uint32_t n = 0;
            for (uint32_t i = wide_width; i-- > 0;)
                if (mask >> i & 1) lanes[mask] |= uint64_t{i} << 8 * n++;
        }
    }
};
inline constexpr LanesOfMask lanes_of_mask;
}  // namespace detail

/// PortableWideTests with eight boxes or triangles to an instruction.
class Avx2WideTests {
  public:
    static bool runs_here() {
#if defined(__AVX2__) && defined(__FMA__)
        return true;
#else
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    }

    WARPATH_AVX2 explicit Avx2WideTests(const Ray& ray, float relative_slack = origin_slack) : t_min_(max_of(ray.t_min, 0.0f)) {
        const __m128 origin = _mm_setr_ps(ray.origin.x, ray.origin.y, ray.origin.z, 0.0f);
        const __m128 dir = _mm_setr_ps(ray.dir.x, ray.dir.y, ray.dir.z, 0.0f);
        set_slabs(ray, origin, dir, relative_slack);
        set_shear(ray, origin, dir);
    }

    WARPATH_AVX2 uint32_t children(const WideNode& node, float t_limit, float* near) const {
        const __m256 near_x = distances(node, 0, 0, near_offset_), near_y = distances(node, 1, 0, near_offset_),
                     near_z = distances(node, 2, 0, near_offset_);
        const __m256 far_x = distances(node, 0, 1, far_offset_), far_y = distances(node, 1, 1, far_offset_),
                     far_z = distances(node, 2, 1, far_offset_);
        const __m256 first =
            _mm256_max_ps(_mm256_max_ps(near_x, near_y), _mm256_max_ps(near_z, _mm256_set1_ps(t_min_)));
        const __m256 last = _mm256_min_ps(_mm256_min_ps(far_x, far_y), _mm256_min_ps(far_z, _mm256_set1_ps(t_limit)));
        _mm256_store_ps(near, first);
        return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(first, last, _CMP_LE_OQ)));
    }
    WARPATH_AVX2 static void put_children(const WideNode& node, uint32_t mask, int32_t* at) {
        const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&detail::lanes_of_mask.lanes[mask]));
        const __m256i children = _mm256_load_si256(reinterpret_cast<const __m256i*>(node.child));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(at),
                            _mm256_permutevar8x32_epi32(children, _mm256_cvtepu8_epi32(lanes)));
    }

    /// What is not clearly inside or outside, or too small or too far away for floats, is tested triangle by triangle.
    WARPATH_AVX2 uint32_t triangles(const WidePacket& packet, uint32_t count, float t_limit, PacketHits& hits) const {
        Vertices p, s;
        load(packet, p);
        shear(p, s);
        const __m256 e0 = edge(s.x[1], s.y[1], s.x[2], s.y[2]), e1 = edge(s.x[2], s.y[2], s.x[0], s.y[0]),
                     e2 = edge(s.x[0], s.y[0], s.x[1], s.y[1]);
        const __m256 zero = _mm256_setzero_ps(), tiny = _mm256_set1_ps(detail::least_det);
        const __m256 least = _mm256_min_ps(e0, _mm256_min_ps(e1, e2)), most = _mm256_max_ps(e0, _mm256_max_ps(e1, e2));
        const __m256 outside =
            _mm256_and_ps(_mm256_cmp_ps(least, zero, _CMP_LT_OQ), _mm256_cmp_ps(most, zero, _CMP_GT_OQ));
        const uint32_t near_by = ~static_cast<uint32_t>(_mm256_movemask_ps(outside)) & ((1u << count) - 1);
        if (near_by == 0) return 0;
        __m256 sure = _mm256_or_ps(_mm256_cmp_ps(least, tiny, _CMP_GE_OQ),
                                   _mm256_cmp_ps(most, _mm256_set1_ps(-detail::least_det), _CMP_LE_OQ));
        const __m256 t = _mm256_mul_ps(plane_distance(p, sure), _mm256_set1_ps(shear_.scale_z));
        _mm256_store_ps(hits.t, t);
        _mm256_store_ps(hits.weight_1, e1), _mm256_store_ps(hits.weight_2, e2);
        _mm256_store_ps(hits.sum, _mm256_add_ps(_mm256_add_ps(e0, e1), e2));
        const uint32_t unsure = ~static_cast<uint32_t>(_mm256_movemask_ps(sure)) & near_by;
        if (unsure != 0) [[unlikely]] return near_by & test_singly(packet, unsure, t_limit, hits);
        const __m256 within = _mm256_and_ps(_mm256_cmp_ps(t, _mm256_set1_ps(t_min_), _CMP_GE_OQ),
                                            _mm256_cmp_ps(t, _mm256_set1_ps(t_limit), _CMP_LE_OQ));
        return static_cast<uint32_t>(_mm256_movemask_ps(within)) & near_by;
    }

  private:
    struct Vertices {
        __m256 x[3], y[3], z[3];  ///< in the order of the shear's axes, a triangle to a lane
    };

    WARPATH_AVX2 __m256 distances(const WideNode& node, int axis, uint32_t far, const __m256* offset) const {
        return _mm256_fmadd_ps(_mm256_load_ps(node.planes[near_plane_[axis] ^ far]), inv_[axis], offset[axis]);
    }
    /// make_slabs. A component of dir that is next to nothing is rare.
    WARPATH_AVX2 void set_slabs(const Ray& ray, __m128 origin, __m128 dir, float relative_slack) {
        const float longest = max_magnitude(ray.dir);
        const __m128 slack = _mm_set1_ps(relative_slack * max_magnitude(ray.origin));
        const __m128 is_long = _mm_cmpgt_ps(magnitude(dir), _mm_set1_ps(longest * 0x1p-100f));
        __m128 inv = _mm_div_ps(_mm_set1_ps(1.0f), dir);
        const __m128 error = _mm_mul_ps(slack, magnitude(inv));
        const __m128 offset = _mm_xor_ps(_mm_mul_ps(origin, inv), _mm_set1_ps(-0.0f));
        __m128 near = _mm_sub_ps(offset, error), far = _mm_add_ps(offset, error);
        if ((_mm_movemask_ps(is_long) & 7) != 7) {
            const RaySlabs slabs = make_slabs(ray, relative_slack);
            inv = _mm_setr_ps(slabs.inv_dir.x, slabs.inv_dir.y, slabs.inv_dir.z, 0.0f);
            near = _mm_setr_ps(slabs.near_offset.x, slabs.near_offset.y, slabs.near_offset.z, 0.0f);
            far = _mm_setr_ps(slabs.far_offset.x, slabs.far_offset.y, slabs.far_offset.z, 0.0f);
        }
        spread(inv, inv_), spread(near, near_offset_), spread(far, far_offset_);
        const uint32_t backward = static_cast<uint32_t>(_mm_movemask_ps(inv));
        for (uint32_t axis = 0; axis < 3; ++axis) near_plane_[axis] = 2 * axis + (backward >> axis & 1);
    }
    WARPATH_AVX2 static void spread(__m128 a, __m256* axes) {
        axes[0] = _mm256_broadcastss_ps(a);
        axes[1] = _mm256_broadcastss_ps(_mm_permute_ps(a, 0x55));
        axes[2] = _mm256_broadcastss_ps(_mm_permute_ps(a, 0xaa));
    }
    /// make_shear, without a branch on the longest axis, which nobody can guess.
    WARPATH_AVX2 void set_shear(const Ray& ray, __m128 origin, __m128 dir) {
        static constexpr uint32_t axes[3] = {0x000201, 0x010002, 0x020100};
        const float x = fabsf(ray.dir.x), y = fabsf(ray.dir.y), z = fabsf(ray.dir.z);
        const uint32_t along_x = static_cast<uint32_t>(x >= y) & static_cast<uint32_t>(x >= z),
                       along_y = (along_x ^ 1u) & static_cast<uint32_t>(y >= z);
        shear_.axes = axes[2 - 2 * along_x - along_y];
        const __m128i order = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(static_cast<int>(shear_.axes)));
        const __m128 d = _mm_permutevar_ps(dir, order), z_of_d = _mm_permute_ps(d, 0xaa);
        alignas(16) float turned[4], quotients[4];
        _mm_store_ps(turned, _mm_permutevar_ps(origin, order));
        _mm_store_ps(quotients, _mm_div_ps(_mm_blend_ps(d, _mm_set1_ps(1.0f), 4), z_of_d));
        shear_.origin = {turned[0], turned[1], turned[2]};
        shear_.shear_x = quotients[0], shear_.shear_y = quotients[1], shear_.scale_z = quotients[2];
    }
    WARPATH_AVX2 void load(const WidePacket& packet, Vertices& p) const {
        for (int i = 0; i < 3; ++i) {
            p.x[i] = _mm256_load_ps(packet.vertex[shear_.kx()][i]);
            p.y[i] = _mm256_load_ps(packet.vertex[shear_.ky()][i]);
            p.z[i] = _mm256_load_ps(packet.vertex[shear_.kz()][i]);
        }
    }
    /// detail::shear_triangle.
    WARPATH_AVX2 void shear(const Vertices& p, Vertices& s) const {
        const __m256 shear_x = _mm256_set1_ps(shear_.shear_x), shear_y = _mm256_set1_ps(shear_.shear_y);
        for (int i = 0; i < 3; ++i) {
            s.z[i] = _mm256_sub_ps(p.z[i], _mm256_set1_ps(shear_.origin.z));
            s.x[i] = _mm256_fnmadd_ps(shear_x, s.z[i], _mm256_sub_ps(p.x[i], _mm256_set1_ps(shear_.origin.x)));
            s.y[i] = _mm256_fnmadd_ps(shear_y, s.z[i], _mm256_sub_ps(p.y[i], _mm256_set1_ps(shear_.origin.y)));
        }
    }
    WARPATH_AVX2 static __m256 edge(__m256 x0, __m256 y0, __m256 x1, __m256 y1) {
        return _mm256_sub_ps(_mm256_mul_ps(x0, y1), _mm256_mul_ps(y0, x1));
    }
    WARPATH_AVX2 static __m128 magnitude(__m128 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a); }
    WARPATH_AVX2 static __m256 magnitude(__m256 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
    /// detail::plane_distance, where that is the plane's; elsewhere `sure` becomes false.
    WARPATH_AVX2 __m256 plane_distance(const Vertices& p, __m256& sure) const {
        const __m256 ax = p.x[1] - p.x[0], ay = p.y[1] - p.y[0], az = p.z[1] - p.z[0];
        const __m256 bx = p.x[2] - p.x[0], by = p.y[2] - p.y[0], bz = p.z[2] - p.z[0];
        const __m256 nx = _mm256_fmsub_ps(ay, bz, _mm256_mul_ps(az, by)),
                     ny = _mm256_fmsub_ps(az, bx, _mm256_mul_ps(ax, bz)),
                     nz = _mm256_fmsub_ps(ax, by, _mm256_mul_ps(ay, bx));
        const __m256 along = _mm256_fmadd_ps(nx, _mm256_set1_ps(shear_.shear_x),
                                             _mm256_fmadd_ps(ny, _mm256_set1_ps(shear_.shear_y), nz));
        const __m256 origin_z = _mm256_set1_ps(shear_.origin.z);
        const __m256 dx = _mm256_sub_ps(p.x[0], _mm256_set1_ps(shear_.origin.x)),
                     dy = _mm256_sub_ps(p.y[0], _mm256_set1_ps(shear_.origin.y)), dz = _mm256_sub_ps(p.z[0], origin_z);
        const __m256 distance = _mm256_div_ps(
            _mm256_fmadd_ps(nx, dx, _mm256_fmadd_ps(ny, dy, _mm256_mul_ps(nz, dz))), along);
        const __m256 low = _mm256_min_ps(p.z[0], _mm256_min_ps(p.z[1], p.z[2])),
                     high = _mm256_max_ps(p.z[0], _mm256_max_ps(p.z[1], p.z[2]));
        sure = _mm256_and_ps(sure, _mm256_and_ps(_mm256_cmp_ps(magnitude(along), _mm256_set1_ps(detail::least_det), _CMP_GE_OQ),
                                                 _mm256_cmp_ps(magnitude(distance), _mm256_set1_ps(infinity), _CMP_LT_OQ)));
        return _mm256_min_ps(_mm256_max_ps(distance, _mm256_sub_ps(low, origin_z)), _mm256_sub_ps(high, origin_z));
    }
    WARPATH_AVX2 __attribute__((noinline, cold)) uint32_t test_singly(const WidePacket& packet, uint32_t unsure, float t_limit,
                                                                      PacketHits& hits) const {
        uint32_t mask = 0;
        for (uint32_t i = 0; i < packet_width; ++i) {
            if (unsure >> i & 1) hits.test(packet, i, shear_);
            mask |= static_cast<uint32_t>(hits.t[i] >= t_min_ && hits.t[i] <= t_limit) << i;
        }
        return mask;
    }

    __m256 inv_[3], near_offset_[3], far_offset_[3];
    RayShear shear_;
    uint32_t near_plane_[3];  ///< of each axis, where the ray enters a box
    float t_min_;
};

}  // namespace warpath
#else
#define WARPATH_HAS_AVX2_TESTS 0
#endif
