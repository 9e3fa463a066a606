// Scenes whose meshes are shared, through the public interface.

#include <gtest/gtest.h>

#include <cmath>

#include "api/scene_impl.h"
#include "support/copies_scene.h"
#include "support/forest_scene.h"
#include "support/render_image.h"
#include "warpath/live_frame.h"

namespace warpath::testing {
namespace {

TEST(instances, info_says_what_was_shared) {
    const CopiesScene copies;
    const SceneInfo on = copies.load(Instancing::On).info(), off = copies.load(Instancing::Off).info();
    EXPECT_EQ(on.instancing, "on");
    EXPECT_EQ(on.num_triangles, off.num_triangles);
    EXPECT_EQ(on.num_shared_instances, 14u);
    EXPECT_EQ(on.num_shared_meshes, 5u) << "balls of two materials are two meshes";
    EXPECT_LT(on.num_stored_triangles, off.num_stored_triangles);
    EXPECT_EQ(off.num_stored_triangles, off.num_triangles);
    EXPECT_EQ(off.num_shared_instances, 0u);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(on.bounds_lo[i], off.bounds_lo[i], 0.3);
        EXPECT_LE(on.bounds_lo[i], off.bounds_lo[i] + 1e-5f);
    }
    EXPECT_EQ(copies.load(Instancing::Auto).info().num_shared_instances, 0u) << "a small scene is laid out";
    EXPECT_EQ(instancing_of("off"), Instancing::Off);
    EXPECT_THROW(instancing_of("maybe"), Error);
}

TEST(instances, every_scheduler_gives_the_same_bits) {
    const CopiesScene copies;
    const LoadedScene scene = copies.load(Instancing::On);
    RenderOptions options = small_frame("cpu");
    options.num_threads = 1;
    options.scheduler = schedulers_of("cpu").front().name;
    const RenderResult reference = render_quietly(scene, options);
    for (const SchedulerInfo& scheduler : schedulers_of("cpu"))
        for (auto [threads, pool, batch] : {std::tuple{2u, 0u, 0u}, {1u, 7u, 3u}}) {
            options.scheduler = scheduler.name;
            options.num_threads = threads, options.pool = pool, options.batch = batch;
            EXPECT_EQ(first_difference(reference.image, render_quietly(scene, options).image), "") << scheduler.name;
        }
}

TEST(instances, the_image_is_that_of_the_scene_laid_out) {
    const CopiesScene copies;
    RenderOptions options = small_frame("cpu");
    options.spp = 64;
    const RenderResult a = render_quietly(copies.load(Instancing::On), options), b = render_quietly(copies.load(Instancing::Off), options);
    for (const char* channel : {"R", "G", "B", "albedo.R", "normal.Y", "depth.Z"}) {
        double sum = 0, other = 0, difference = 0;
        const std::vector<float>&x = a.image.find(channel)->values, &y = b.image.find(channel)->values;
        for (size_t i = 0; i < x.size(); ++i) sum += x[i], other += y[i], difference += std::abs(x[i] - y[i]);
        EXPECT_NEAR(sum, other, 0.01 * std::abs(other)) << channel;
        EXPECT_LT(difference, 0.1 * std::abs(other)) << channel;
    }
}

TEST(instances, a_forest_is_shared_by_itself) {
    const LoadedScene scene = ForestScene(100).load();
    const SceneInfo& info = scene.info();
    EXPECT_EQ(info.instancing, "auto");
    EXPECT_EQ(info.num_shared_instances, 10000u);
    EXPECT_EQ(info.num_triangles, 12800002u);
    EXPECT_EQ(info.num_stored_triangles, 1282u);
    EXPECT_LT(info.scene_bytes + info.bvh_bytes, 10'000'000u);
    EXPECT_EQ(scene.impl().data.object_names.size(), 2u) << "copies share their name";
    EXPECT_FALSE(render_quietly(scene, small_frame("cpu")).incomplete);
}

TEST(instances, pick_names_each_copy) {
    const CopiesScene copies;
    const RenderOptions options = small_frame("cpu");
    const LoadedScene on = copies.load(Instancing::On), off = copies.load(Instancing::Off);
    LiveFrame shared = Renderer(on, options).prepare_live(options), flat = Renderer(off, options).prepare_live(options);
    uint32_t num_named = 0;
    for (uint32_t y = 0; y < options.height; y += 2)
        for (uint32_t x = 0; x < options.width; x += 2) {
            const std::optional<Pick> a = shared.pick(x, y), b = flat.pick(x, y);
            ASSERT_EQ(a.has_value(), b.has_value());
            if (!a || std::abs(a->distance - b->distance) > 1e-3f) continue;  // an edge
            EXPECT_EQ(a->object_name, b->object_name);
            EXPECT_EQ(a->material_name, b->material_name);
            for (int i = 0; i < 3; ++i) {
                EXPECT_NEAR(a->position[i], b->position[i], 1e-4f);
                EXPECT_NEAR(a->normal[i], b->normal[i], 1e-4f);
            }
            num_named += a->object_name != "floor";
        }
    EXPECT_GT(num_named, 50u);
}

TEST(instances, materials_of_shared_meshes_are_edited_live) {
    const CopiesScene copies;
    RenderOptions options = small_frame("cpu");
    options.spp = 8;
    const LoadedScene scene = copies.load(Instancing::On);
    LiveFrame frame = Renderer(scene, options).prepare_live(options);
    MaterialParameters red = frame.material(2);
    red.emission = {2, 2, 2};  // no emitter that light sampling knows: rays have to find it
    frame.set_material(2, red);
    frame.add_samples(8);
    const Image lit = frame.result().image;
    const RenderResult before = render_quietly(scene, options);
    double sum = 0, dark = 0;
    for (size_t i = 0; i < lit.find("G")->values.size(); ++i) sum += lit.find("G")->values[i], dark += before.image.find("G")->values[i];
    EXPECT_GT(sum, 1.3 * dark);
}

TEST(instances, trees_are_kept_and_found_again) {
    const CopiesScene copies;
    const test::TemporaryFolder cache;
    const RenderOptions options = small_frame("cpu");
    const LoadedScene built = copies.load(Instancing::On, cache.path()), read = copies.load(Instancing::On, cache.path());
    EXPECT_EQ(built.info().bvh_cache, "kept");
    EXPECT_EQ(read.info().bvh_cache, "read");
    EXPECT_EQ(built.info().bvh_bytes, read.info().bvh_bytes);
    EXPECT_EQ(built.impl().bvh.origin_slack, read.impl().bvh.origin_slack);
    EXPECT_EQ(first_difference(render_quietly(built, options).image, render_quietly(read, options).image), "");
    EXPECT_EQ(copies.load(Instancing::Off, cache.path()).info().bvh_cache, "kept") << "another tree";
}

}  // namespace
}  // namespace warpath::testing
