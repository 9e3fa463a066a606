#include <gtest/gtest.h>
#include <tbb/enumerable_thread_specific.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "bvh/wide_traverse.h"
#include "importers/importer.h"
#include "reference_hits.h"
#include "scene/flatten.h"
#ifdef WARPATH_EMBREE_VERSION
#include "embree_agreement.h"
#endif

/// Real scenes, on request. WARPATH_SCENES: the folder that holds them (every .obj, .gltf and .glb below it is used).
/// WARPATH_SCENE_RAYS: rays per scene compared with Embree, default 100000. WARPATH_BRUTE_FORCE_TESTS: triangle tests
/// per scene against brute force, default 2e7.
namespace warpath::testing {
namespace {

double number_from_environment(const char* name, double fallback) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtod(text, nullptr) : fallback;
}

std::vector<std::filesystem::path> scene_files() {
    const char* folder = std::getenv("WARPATH_SCENES");
    std::vector<std::filesystem::path> files;
    if (folder == nullptr) return files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension == ".obj" || extension == ".gltf" || extension == ".glb") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

TestMesh load(const std::filesystem::path& path) {
    SceneData data = flatten(import_scene(path), InstanceSharing::Off);
    return {std::move(data.columns.triangles), {data.columns.vertices.begin(), data.columns.vertices.end()}};
}

/// Ray number `index`: within the scene's bounds, from anywhere or from a triangle, towards anywhere, and some of
/// limited length.
Ray scene_ray(const TestMesh& mesh, const Bounds& bounds, uint32_t index) {
    Random random(index);
    Vec3 origin = bounds.lo + bounds.extent() * random.point(0.0f, 1.0f);
    if (index % 2) {
        const uint32_t i = random.below(mesh.size());
        const float u = random.uniform(), v = random.uniform() * (1.0f - u);
        origin = mesh.vertex(i, 0) * (1.0f - u - v) + mesh.vertex(i, 1) * u + mesh.vertex(i, 2) * v;
    }
    const Vec3 target = bounds.lo + bounds.extent() * random.point(0.0f, 1.0f);
    Ray ray = make_ray(origin, index % 3 ? target - origin : random.point());
    ray.t_min = index % 2 ? 1e-3f * length(bounds.extent()) / std::max(length(ray.dir), 1e-20f) : 0.0f;
    if (index % 5 == 0) ray.t_max = 1.0f;
    return ray;
}

Bounds bounds_of(const TestMesh& mesh) {
    Bounds b;
    for (const Vec3& p : mesh.positions) b.grow(p);
    return b;
}

/// Calls check(ray) -> message for each ray, in parallel; fails with the first message that is not empty.
template <class Check>
void check_rays(const TestMesh& mesh, uint32_t count, const Check& check) {
    const Bounds bounds = bounds_of(mesh);
    std::mutex mutex;
    uint32_t num_wrong = 0;
    std::string first;
    tbb::parallel_for(0u, count, [&](uint32_t i) {
        const std::string message = check(scene_ray(mesh, bounds, i));
        if (message.empty()) return;
        const std::scoped_lock lock(mutex);
        if (num_wrong++ == 0) first = "ray " + std::to_string(i) + ": " + message;
    });
    EXPECT_EQ(num_wrong, 0u) << first;
}

TEST(Scenes, equal_brute_force) {
    const auto files = scene_files();
    if (files.empty()) GTEST_SKIP() << "WARPATH_SCENES names no folder with scenes";
    const double num_tests = number_from_environment("WARPATH_BRUTE_FORCE_TESTS", 2e7);
    for (const auto& file : files) {
        SCOPED_TRACE(file.string());
        const TestMesh mesh = load(file);
        const Bvh bvh = mesh.build();
        const uint32_t num_rays = static_cast<uint32_t>(std::max(1.0, num_tests / mesh.size()));
        check_rays(mesh, num_rays, [&](const Ray& ray) { return check_against_all(mesh, ray, trace(bvh, ray)); });
    }
}

TEST(Scenes, any_hit_equals_closest_hit) {
    const auto files = scene_files();
    if (files.empty()) GTEST_SKIP() << "WARPATH_SCENES names no folder with scenes";
    const uint32_t num_rays = static_cast<uint32_t>(number_from_environment("WARPATH_SCENE_RAYS", 20000));
    for (const auto& file : files) {
        SCOPED_TRACE(file.string());
        const TestMesh mesh = load(file);
        const Bvh bvh = mesh.build();
        check_rays(mesh, num_rays, [&](const Ray& ray) -> std::string {
            return is_occluded(bvh, ray) == (trace(bvh, ray).prim_id != invalid_id) ? "" : "the two disagree";
        });
    }
}

TEST(Scenes, wide_tree_gives_the_same_hits) {
    const auto files = scene_files();
    if (files.empty()) GTEST_SKIP() << "WARPATH_SCENES names no folder with scenes";
    const uint32_t num_rays = static_cast<uint32_t>(number_from_environment("WARPATH_SCENE_RAYS", 100000));
    for (const auto& file : files) {
        SCOPED_TRACE(file.string());
        const TestMesh mesh = load(file);
        const Bvh bvh = mesh.build();
        const WideBvh wide = collapse(bvh.view());
        BvhView view = bvh.view();
        wide.show_to(view);
        check_rays(mesh, num_rays, [&](const Ray& ray) -> std::string {
            TraversalCost cost;
            const Hit expected = trace(bvh, ray), hit = wide_hit<NearestQuery>(view, ray, AcceptAll{}, cost);
            if (std::memcmp(&hit, &expected, sizeof hit) != 0) return "another hit";
            return (wide_hit<AnyQuery>(view, ray, AcceptAll{}, cost).prim_id != invalid_id) ==
                           (hit.prim_id != invalid_id)
                       ? ""
                       : "the two disagree";
        });
    }
}

#ifdef WARPATH_EMBREE_VERSION
TEST(Scenes, equal_embree) {
    const auto files = scene_files();
    if (files.empty()) GTEST_SKIP() << "WARPATH_SCENES names no folder with scenes";
    const uint32_t num_rays = static_cast<uint32_t>(number_from_environment("WARPATH_SCENE_RAYS", 100000));
    for (const auto& file : files) {
        SCOPED_TRACE(file.string());
        const TestMesh mesh = load(file);
        const EmbreeScene embree(mesh.triangle_view(), mesh.position_view(), RTC_SCENE_FLAG_ROBUST);
        for (const BvhPreset preset : all_presets) {
            const Bvh bvh = mesh.build(preset);
            tbb::enumerable_thread_specific<Agreement> parts;
            check_rays(mesh, num_rays, [&](const Ray& ray) { return compare(mesh, bvh, embree, ray, parts.local()); });
            const Agreement all = parts.combine([](const Agreement& a, const Agreement& b) {
                return Agreement{a.num_rays + b.num_rays, a.num_hits + b.num_hits, a.num_edges + b.num_edges};
            });
            EXPECT_GT(all.num_hits, all.num_rays / 10);
            std::printf("%s, %s: %llu rays, %llu hits, %llu within float error of an edge\n", file.filename().c_str(),
                        name_of(preset), static_cast<unsigned long long>(all.num_rays),
                        static_cast<unsigned long long>(all.num_hits), static_cast<unsigned long long>(all.num_edges));
        }
    }
}
#endif

}  // namespace
}  // namespace warpath::testing
