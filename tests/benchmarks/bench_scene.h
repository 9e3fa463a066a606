#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "bvh/build.h"
#include "bvh/traverse.h"
#include "importers/importer.h"
#include "scene/flatten.h"

/// Scenes and rays of the benchmarks.
namespace warpath::bench {

struct BenchScene {
    std::string name;
    std::vector<Triangle> triangles;
    std::vector<Vec3> positions;
    Camera camera;

    ArrayView<Triangle> triangle_view() const { return {triangles.data(), static_cast<uint32_t>(triangles.size())}; }
    ArrayView<Vec3> position_view() const { return {positions.data(), static_cast<uint32_t>(positions.size())}; }
    Vec3 vertex(uint32_t prim_id, int i) const { return positions[triangles[prim_id].vertex[i]]; }
};

/// Viewpoints for scenes whose file has none.
inline void set_known_camera(const std::string& name, Camera& camera) {
    const auto set = [&](Vec3 eye, Vec3 target, float vfov_deg) {
        camera.eye = eye, camera.target = target, camera.up = {0, 1, 0}, camera.vfov_deg = vfov_deg;
    };
    if (name == "living_room") set({5.105f, 0.731f, -2.318f}, {4.143f, 0.805f, -2.054f}, 58.7f);
    if (name == "sponza") set({-11.0f, 1.8f, -0.5f}, {0.0f, 4.2f, 0.2f}, 55.0f);
    if (name == "cornell_box") set({0.0f, 1.0f, 3.9f}, {0.0f, 1.0f, 0.0f}, 36.0f);
}

inline BenchScene load_scene(const std::filesystem::path& path) {
    Scene scene = import_scene(path);
    add_defaults(scene);
    SceneData data = flatten(std::move(scene), InstanceSharing::Off);
    BenchScene s{path.stem().string(), std::move(data.columns.triangles), {data.columns.vertices.begin(), data.columns.vertices.end()},
                 data.cameras.at(0)};
    set_known_camera(s.name, s.camera);
    return s;
}

/// Waves on a square: a million triangles or as many as asked for, so that the benchmarks run without any file.
inline BenchScene wave_scene(uint32_t side) {
    BenchScene s;
    s.name = "waves";
    for (uint32_t i = 0; i <= side; ++i) {
        for (uint32_t j = 0; j <= side; ++j) {
            const float x = 2.0f * float(i) / float(side) - 1.0f, z = 2.0f * float(j) / float(side) - 1.0f;
            s.positions.push_back({x, 0.1f * std::sin(17.0f * x) * std::cos(23.0f * z), z});
        }
    }
    for (uint32_t i = 0; i < side; ++i) {
        for (uint32_t j = 0; j < side; ++j) {
            const uint32_t a = i * (side + 1) + j, b = a + side + 1;
            s.triangles.push_back({{a, b, b + 1}, 0});
            s.triangles.push_back({{a, b + 1, a + 1}, 0});
        }
    }
    s.camera.eye = {0.0f, 0.6f, 1.6f};
    return s;
}

/// Rolling ground strewn with a hundred boulders that are rough at all scales: about as many triangles as asked for, a
/// tenth of them ground. Neighbours in the list are neighbours in space, as in scanned models.
inline BenchScene boulder_scene(uint32_t num_triangles) {
    BenchScene s;
    s.name = "boulders";
    const auto add_grid = [&](uint32_t side, const auto& point) {
        const uint32_t first = static_cast<uint32_t>(s.positions.size());
        for (uint32_t i = 0; i <= side; ++i) {
            for (uint32_t j = 0; j <= side; ++j)
                s.positions.push_back(
                    point(2.0f * float(i) / float(side) - 1.0f, 2.0f * float(j) / float(side) - 1.0f));
        }
        for (uint32_t i = 0; i < side; ++i) {
            for (uint32_t j = 0; j < side; ++j) {
                const uint32_t a = first + i * (side + 1) + j, b = a + side + 1;
                s.triangles.push_back({{a, b, b + 1}, 0});
                s.triangles.push_back({{a, b + 1, a + 1}, 0});
            }
        }
    };
    const auto ground = [](float x, float z) {
        return 1.5f * std::sin(0.31f * x) * std::cos(0.23f * z) + 0.3f * std::sin(1.7f * x + 0.9f * z);
    };
    add_grid(static_cast<uint32_t>(std::sqrt(double(num_triangles) / 20.0)) + 1,
             [&](float u, float v) { return Vec3(30.0f * u, ground(30.0f * u, 30.0f * v), 30.0f * v); });
    std::mt19937 engine(7);
    const auto uniform = [&](float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(engine); };
    const uint32_t num_boulders = 100,
                   side = static_cast<uint32_t>(std::sqrt(0.9 * double(num_triangles) / (12.0 * num_boulders))) + 1;
    for (uint32_t b = 0; b < num_boulders; ++b) {
        const float x = uniform(-28.0f, 28.0f), z = uniform(-28.0f, 28.0f), radius = uniform(0.7f, 2.4f),
                    phase = uniform(0.0f, 6.0f);
        const Vec3 center{x, ground(x, z) + 0.3f * radius, z},
            shape{uniform(0.7f, 1.3f), uniform(0.6f, 1.2f), uniform(0.7f, 1.3f)};
        for (int face = 0; face < 6; ++face) {
            add_grid(side, [&](float u, float v) {
                Vec3 p{u, v, face % 2 == 0 ? 1.0f : -1.0f};
                p = normalize(face / 2 == 0 ? p : face / 2 == 1 ? Vec3(p.z, p.x, p.y) : Vec3(p.y, p.z, p.x));
                float height = 1.0f, size = 0.3f, waves = 2.0f;
                for (int octave = 0; octave < 8; ++octave, size *= 0.5f, waves *= 2.03f)
                    height += size * std::sin(waves * p.x + phase) *
                              std::sin(waves * p.y + 1.3f * phase + float(octave)) * std::cos(waves * p.z);
                return center + p * shape * (height * radius);
            });
        }
    }
    s.camera.eye = {-29.0f, ground(-29.0f, -25.0f) + 6.5f, -25.0f}, s.camera.target = {-10.0f, -1.0f, -8.0f};
    return s;
}

/// Scene files from the command line (arguments that do not start with --; or boulders:MILLIONS), which are removed
/// from argv; else from the variable WARPATH_BENCH_SCENES, separated by colons.
inline std::vector<std::string> scene_arguments(int& argc, char** argv) {
    std::vector<std::string> paths;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--", 2) == 0) {
            argv[kept++] = argv[i];
        } else {
            paths.emplace_back(argv[i]);
        }
    }
    argc = kept;
    const char* list = std::getenv("WARPATH_BENCH_SCENES");
    if (!paths.empty() || list == nullptr) return paths;
    for (std::string rest = list; !rest.empty();) {
        const size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0) paths.push_back(rest.substr(0, end));
        rest.erase(0, end + 1);
    }
    return paths;
}

inline std::vector<BenchScene> load_scenes(int& argc, char** argv) {
    std::vector<BenchScene> scenes;
    for (const std::string& path : scene_arguments(argc, argv)) {
        const bool generated = path.starts_with("boulders:");  // and how many million triangles
        scenes.push_back(generated ? boulder_scene(static_cast<uint32_t>(1e6 * std::stod(path.substr(9))))
                                   : load_scene(path));
    }
    if (scenes.empty()) scenes.push_back(wave_scene(700));
    return scenes;
}

/// Rays as a path tracer asks for them.
struct RaySets {
    std::vector<Ray> primary;  ///< through pixel centres, in rows
    std::vector<Ray> diffuse;  ///< cosine-distributed, from three bounces of the primary rays
    std::vector<Ray> shadow;   ///< from the same points to random points of the scene's bounds, t_max = 1
};

inline RaySets make_rays(const BenchScene& scene, const BvhView& bvh, uint32_t width, uint32_t height) {
    RaySets rays;
    const Camera& c = scene.camera;
    const Vec3 forward = normalize(c.target - c.eye), right = normalize(cross(forward, c.up)),
               up = cross(right, forward);
    const float tangent = std::tan(0.5f * c.vfov_deg * pi / 180.0f), aspect = float(width) / float(height);
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const float px = 2.0f * (float(x) + 0.5f) / float(width) - 1.0f,
                        py = 1.0f - 2.0f * (float(y) + 0.5f) / float(height);
            rays.primary.push_back(
                {c.eye, 0.0f, normalize(forward + right * (tangent * aspect * px) + up * (tangent * py)), infinity});
        }
    }
    Bounds bounds;
    for (const Vec3& p : scene.positions) bounds.grow(p);
    std::mt19937 engine(1);
    const auto uniform = [&] { return std::uniform_real_distribution<float>(0.0f, 1.0f)(engine); };
    std::vector<Ray> current = rays.primary;
    for (int bounce = 0; bounce < 3; ++bounce) {
        std::vector<Ray> next;
        for (const Ray& ray : current) {
            TraversalCost cost;
            const Hit hit = closest_hit(bvh, ray, AcceptAll{}, cost);
            if (hit.prim_id == invalid_id) continue;
            const Vec3 a = scene.vertex(hit.prim_id, 0);
            Vec3 n = normalize(cross(scene.vertex(hit.prim_id, 1) - a, scene.vertex(hit.prim_id, 2) - a));
            if (dot(n, ray.dir) > 0.0f) n = -n;
            const Vec3 p = madd(ray.dir, hit.t, ray.origin) + n * (1e-5f * length(bounds.extent()));
            const float phi = 2.0f * pi * uniform(), r2 = uniform(), r = std::sqrt(r2);
            const Vec3 local{r * std::cos(phi), r * std::sin(phi), std::sqrt(1.0f - r2)};
            next.push_back({p, 0.0f, Frame::from_normal(n).to_world(local), infinity});
            const Vec3 light = bounds.lo + bounds.extent() * Vec3(uniform(), uniform(), uniform());
            rays.shadow.push_back({p, 0.0f, light - p, 1.0f});
        }
        rays.diffuse.insert(rays.diffuse.end(), next.begin(), next.end());
        current = std::move(next);
    }
    return rays;
}

}  // namespace warpath::bench
