#include "experiments/traversal_rays.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/circle.h"
#include "core/random.h"

namespace warpath::experiments {
namespace {

constexpr uint32_t tile_width = 8, tile_height = 4;

/// Two random numbers for a ray of a set.
Vec2 random_pair(uint32_t key) {
    const uint32_t first = hash_u32(key + 0x9e3779b9u), second = hash_u32(first + 0x9e3779b9u);
    return {unit_float(first), unit_float(second)};
}

/// The rays that make(i) gives for i < n, in order.
template <class Make>
void collect(size_t n, const Make& make, std::vector<Ray>& rays) {
    constexpr size_t part_size = 1u << 16;
    std::vector<std::vector<Ray>> parts((n + part_size - 1) / part_size);
    tbb::parallel_for(size_t{0}, parts.size(), [&](size_t part) {
        for (size_t i = part * part_size; i < std::min(n, (part + 1) * part_size); ++i)
            if (const std::optional<Ray> ray = make(static_cast<uint32_t>(i))) parts[part].push_back(*ray);
    });
    rays.clear();
    for (const std::vector<Ray>& part : parts) rays.insert(rays.end(), part.begin(), part.end());
}

class RayMaker {
  public:
    RayMaker(const TraversalScene& scene, const RaySetOptions& options) : scene_(scene), options_(options), offset_(2e-5f * length(scene.bounds().extent())) {
        const Vec3 forward = normalize(scene.target - scene.eye), right = normalize(cross(forward, scene.up));
        const float half_height = std::tan(0.5f * scene.vfov_deg * pi / 180);
        forward_ = forward, up_ = cross(right, forward) * half_height;
        right_ = right * (half_height * static_cast<float>(options.width) / static_cast<float>(options.height));
    }

    void camera_rays(uint32_t sample, std::vector<Ray>& rays) const {
        const uint32_t tiles_across = (options_.width + tile_width - 1) / tile_width, tiles_down = (options_.height + tile_height - 1) / tile_height;
        const auto make = [&](uint32_t i) -> std::optional<Ray> {
            const uint32_t tile = i / (tile_width * tile_height), in_tile = i % (tile_width * tile_height);
            const uint32_t x = tile % tiles_across * tile_width + in_tile % tile_width, y = tile / tiles_across * tile_height + in_tile / tile_width;
            if (x >= options_.width || y >= options_.height) return std::nullopt;
            const Vec2 jitter = random_pair(hash_u32((y * options_.width + x) ^ hash_u32(sample * 7919u + 17u)));
            const float sx = 2 * (static_cast<float>(x) + jitter.x) / static_cast<float>(options_.width) - 1;
            const float sy = 1 - 2 * (static_cast<float>(y) + jitter.y) / static_cast<float>(options_.height);
            return Ray{scene_.eye, 0.0f, normalize(forward_ + right_ * sx + up_ * sy), far};
        };
        collect(size_t{tiles_across} * tiles_down * tile_width * tile_height, make, rays);
    }
    /// Cosine-distributed rays from the hits.
    void bounced_rays(const std::vector<Ray>& rays, const std::vector<Hit>& hits, uint32_t seed, std::vector<Ray>& next) const {
        collect(rays.size(),
                [&](uint32_t i) -> std::optional<Ray> {
                    const std::optional<Start> start = leave(rays[i], hits[i]);
                    if (!start) return std::nullopt;
                    const Vec2 u = random_pair(hash_u32(i ^ hash_u32(seed)));
                    const Vec2 around = unit_circle(u.x) * std::sqrt(u.y);
                    const Vec3 dir = Frame::from_normal(start->normal).to_world({around.x, around.y, safe_sqrt(1 - u.y)});
                    return Ray{start->origin, 0.0f, normalize(dir), far};
                },
                next);
    }
    /// Rays from the hits to the light, where the surface faces it.
    void shadow_rays(const std::vector<Ray>& rays, const std::vector<Hit>& hits, uint32_t seed, std::vector<Ray>& next) const {
        collect(rays.size(),
                [&](uint32_t i) -> std::optional<Ray> {
                    const std::optional<Start> start = leave(rays[i], hits[i]);
                    if (!start) return std::nullopt;
                    const Vec2 u = random_pair(hash_u32(i ^ hash_u32(seed)));
                    const Vec3 way = scene_.light_corner + scene_.light_edges[0] * u.x + scene_.light_edges[1] * u.y - start->origin;
                    const float distance = length(way);
                    if (!(distance > 0) || !(dot(way, start->normal) > 0)) return std::nullopt;
                    return Ray{start->origin, 0.0f, way * (1 / distance), distance * 0.999f};
                },
                next);
    }

  private:
    static constexpr float far = 1e20f;
    struct Start {
        Vec3 origin, normal;
    };
    /// Off the surface, on the side that the ray came from; nothing for a miss or a triangle without area.
    std::optional<Start> leave(const Ray& ray, const Hit& hit) const {
        if (hit.prim_id == invalid_id) return std::nullopt;
        const Vec3* v = &scene_.soup[size_t{3} * hit.prim_id];
        Vec3 normal = cross(v[1] - v[0], v[2] - v[0]);
        if (!(dot(normal, normal) > 0)) return std::nullopt;
        normal = normalize(normal);
        if (dot(normal, ray.dir) > 0) normal = -normal;
        return Start{ray.origin + ray.dir * hit.t + normal * offset_, normal};
    }

    const TraversalScene& scene_;
    const RaySetOptions& options_;
    float offset_;
    Vec3 forward_, right_, up_;
};

void append(const std::vector<Ray>& rays, size_t most, std::vector<Ray>& set) {
    const size_t n = std::min(rays.size(), most - set.size());
    set.insert(set.end(), rays.begin(), rays.begin() + static_cast<ptrdiff_t>(n));
}

}  // namespace

RaySets make_ray_sets(const TraversalScene& scene, const RaySetOptions& options, const TraceRays& trace) {
    const RayMaker maker(scene, options);
    RaySets sets;
    const auto set = [&](RaySetKind kind) -> std::vector<Ray>& { return sets[static_cast<size_t>(kind)]; };
    const auto lacks = [&](RaySetKind kind) { return options.wanted[static_cast<size_t>(kind)] && set(kind).size() < options.num_rays; };
    std::vector<Ray> rays, next;
    std::vector<Hit> hits;
    const auto bounce = [&](uint32_t seed) {
        maker.bounced_rays(rays, hits, seed, next);
        rays.swap(next);
    };
    for (uint32_t sample = 0; sample < RaySetOptions::most_samples; ++sample) {
        const bool lacks_third = lacks(RaySetKind::Diffuse3), lacks_bounces = lacks_third || lacks(RaySetKind::Diffuse1), lacks_shadow = lacks(RaySetKind::Shadow);
        if (!lacks(RaySetKind::Primary) && !lacks_bounces && !lacks_shadow) break;
        maker.camera_rays(sample, rays);
        if (lacks(RaySetKind::Primary)) append(rays, options.num_rays, set(RaySetKind::Primary));
        if (!lacks_bounces && !lacks_shadow) continue;
        trace(rays, hits);
        if (lacks_shadow) {
            maker.shadow_rays(rays, hits, sample * 16 + 1, next);
            append(next, options.num_rays, set(RaySetKind::Shadow));
        }
        if (!lacks_bounces) continue;
        bounce(sample * 16 + 2);
        if (lacks(RaySetKind::Diffuse1)) append(rays, options.num_rays, set(RaySetKind::Diffuse1));
        for (uint32_t more = 3; lacks_third && more <= 4; ++more) {
            trace(rays, hits);
            bounce(sample * 16 + more);
        }
        if (lacks_third) append(rays, options.num_rays, set(RaySetKind::Diffuse3));
    }
    return sets;
}

}  // namespace warpath::experiments
