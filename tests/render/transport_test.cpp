// Whole paths in scenes with a known answer.

#include <gtest/gtest.h>

#include "support/path_loop.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

Mesh octahedron(Vec3 center, float radius) {
    Mesh mesh;
    mesh.name = "octahedron";
    for (Vec3 v : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0), Vec3(0, 0, 1), Vec3(0, 0, -1)})
        mesh.positions.push_back(center + v * radius);
    for (uint32_t x : {0u, 1u})
        for (uint32_t y : {2u, 3u})
            for (uint32_t z : {4u, 5u})
                mesh.triangles.push_back((x + y + z) % 2 == 0 ? UVec3(x, y, z) : UVec3(x, z, y));
    mesh.material_ids = {0};
    return mesh;
}

/// An octahedron of albedo 0.5 under a white sky, seen so that it fills most of the film.
LoopImage octahedron_image(Vec3 center, float radius, uint32_t spp = 16) {
    Scene scene;
    scene.environment = white_sky();
    add(scene, octahedron(center, radius), lambert(Vec3(0.5f)));
    Camera camera;
    camera.eye = center + Vec3(2.25f, 1.75f, 4) * radius, camera.target = center, camera.vfov_deg = 30;
    return render_loop(LoopScene(std::move(scene)), loop_frame(camera, 24, 24, spp));
}

TEST(Transport, the_picture_does_not_depend_on_the_scale) {
    const LoopImage unit = octahedron_image(Vec3(0), 1);
    for (float scale : {0x1p-10f, 0x1p20f, 0x1p-30f, 0x1p40f}) {
        const LoopImage image = octahedron_image(Vec3(0), scale);
        for (uint32_t i = 0; i < 24 * 24; ++i)
            ASSERT_EQ(image.pixel(i % 24, i / 24), unit.pixel(i % 24, i / 24)) << scale << " " << i;
    }
}

TEST(Transport, far_from_the_origin_there_are_no_specks) {
    for (Vec3 center : {Vec3(0), Vec3(7.5e6f, 0, 0), Vec3(7.5e6f, -7.5e6f, 7.5e6f)}) {
        const LoopImage image = octahedron_image(center, 1024, 64);
        float lowest = 2, highest = 0;
        for (uint32_t i = 0; i < 24 * 24; ++i) {
            const Vec3 c = image.pixel(i % 24, i / 24);
            lowest = std::min(lowest, c.x), highest = std::max(highest, c.x);
        }
        EXPECT_GT(lowest, 0.4f) << center.x;
        EXPECT_LT(highest, 1.05f) << center.x;
        EXPECT_NEAR(image.pixel(13, 10).x, 0.5f, 0.03f);
    }
}

TEST(Transport, a_plate_whose_normals_lean_by_60_degrees_keeps_all_its_light) {
    Scene scene;
    scene.environment = white_sky();
    Mesh plate = quad({-1, -1, 0}, {2, 0, 0}, {0, 2, 0});
    plate.normals.assign(4, Vec3(0, 0.866025f, 0.5f));
    add(scene, std::move(plate), lambert(Vec3(0.5f)));
    const LoopScene loop(std::move(scene));
    for (Vec3 eye : {Vec3(0, 0, 3), Vec3(1, -2, 0.5f), Vec3(0, -3, 0.05f), Vec3(0.3f, 0.1f, -2)}) {
        const Estimate estimate = estimate_mean(loop, loop_frame(narrow_camera(eye, Vec3(0)), 2, 2, 64));
        EXPECT_NEAR(estimate.mean, 0.5, 4.5 * estimate.error + 1e-4);
    }
}

TEST(Transport, inside_a_glowing_box_radiance_is_emission_over_one_minus_albedo) {
    for (float albedo : {0.2f, 0.5f, 0.8f}) {  // from the third bounce on the roulette decides, so this tests it too
        Scene scene;
        Material glow = lambert(Vec3(albedo));
        glow.emission = Vec3(1);
        add(scene, box(Vec3(0), 1), glow);
        const LoopScene loop(std::move(scene));
        Camera camera = narrow_camera({0.1f, -0.2f, 0.05f}, {-1, 0.7f, -0.8f}, 70);
        for (SamplerKind sampler : {SamplerKind::Sobol, SamplerKind::Independent}) {
            FrameConstants frame = loop_frame(camera, 8, 8, 32);
            frame.max_depth = 128;
            frame.sampler = sampler;
            const Estimate estimate = estimate_mean(loop, frame);
            EXPECT_NEAR(estimate.mean, 1 / (1 - albedo), 4.5 * estimate.error + 1e-4);
            EXPECT_LT(estimate.error, 0.01 / (1 - albedo));
        }
    }
}

TEST(Transport, white_bodies_vanish_in_a_white_world) {
    for (const Material& material : {lambert(Vec3(1)), mirror(), clear_glass()}) {
        Scene scene;
        scene.environment = white_sky();
        add(scene, octahedron(Vec3(0), 1), material);
        FrameConstants frame = loop_frame(narrow_camera({2.25f, 1.75f, 4}, Vec3(0), 30), 16, 16, 16);
        frame.max_depth = 256;
        const LoopImage image = render_loop(LoopScene(std::move(scene)), frame);
        EXPECT_NEAR(image.mean().x, 1.0f, 2e-3f);
        EXPECT_NEAR(image.mean().z, 1.0f, 2e-3f);
    }
}

TEST(Transport, nothing_gets_into_a_closed_box) {
    Scene scene;
    scene.environment = white_sky(100);
    scene.sun = Sun{};
    add(scene, box(Vec3(0), 1), lambert(Vec3(0.9f)));
    const LoopImage image =
        render_loop(LoopScene(std::move(scene)),
                    loop_frame(narrow_camera({0.1f, -0.2f, 0.05f}, {-1, 0.7f, -0.8f}, 70), 32, 32, 16));
    EXPECT_EQ(image.mean(), Vec3(0));
}

TEST(Transport, paths_that_lose_nothing_live_until_the_depth_limit) {
    Scene scene;
    add(scene, box(Vec3(0), 1), mirror());
    FrameConstants frame = loop_frame(narrow_camera({0.1f, -0.2f, 0.05f}, {-1, 0.7f, -0.8f}, 70), 4, 4, 4);
    frame.max_depth = 1000;
    const LoopImage image = render_loop(LoopScene(std::move(scene)), frame);
    EXPECT_EQ(image.context[Counter::ExtensionRays], 64000u);
    EXPECT_EQ(image.context.rays_by_bounce[0][num_bounce_bins - 1], 64u * (1000 - 62));
    EXPECT_EQ(image.mean(), Vec3(0));
}

/// Head-on view of a lamp at z = -3 through a box of glass of thickness 1.
Estimate through_glass(const Material& glass, float eye_z = 20) {
    Scene scene;
    add(scene, quad({-9, -9, -3}, {18, 0, 0}, {0, 18, 0}), lamp(Vec3(1)));
    add(scene, box(Vec3(0), 0.5f), glass);
    FrameConstants frame = loop_frame(narrow_camera({0, 0, eye_z}, Vec3(0, 0, -3), 0.1f), 2, 2, 256);
    frame.max_depth = 48;
    return estimate_mean(LoopScene(std::move(scene)), frame);
}

TEST(Transport, a_pane_of_glass_passes_what_interreflections_leave) {
    const Estimate estimate = through_glass(clear_glass());
    EXPECT_NEAR(estimate.mean, 0.96 / 1.04, 4.5 * estimate.error + 1e-4);  // (1 - R) / (1 + R), R = 0.04
}

TEST(Transport, glass_absorbs_along_the_way_inside) {
    Material glass = clear_glass();
    glass.absorption = Vec3(0.7f);
    const double a = std::exp(-0.7), r = 0.04;
    const Estimate whole = through_glass(glass);
    EXPECT_NEAR(whole.mean, (1 - r) * (1 - r) * a / (1 - r * r * a * a), 4.5 * whole.error + 1e-4);
    // From the middle of the glass: half of the way, then the same reflections.
    const Estimate inside = through_glass(glass, 0);
    EXPECT_NEAR(inside.mean, (1 - r) * std::sqrt(a) / (1 - r * r * a * a), 4.5 * inside.error + 1e-4);
    glass.thin_walled = true;
    EXPECT_GT(through_glass(glass).mean, 0.8) << "a thin wall has no inside";
}

TEST(Transport, coverage_shows_what_is_behind) {
    const auto seen = [](AlphaMode mode, float alpha) {
        Scene scene;
        scene.environment = white_sky();
        Material black = lambert(Vec3(0));
        black.alpha_mode = mode, black.alpha = alpha;
        add(scene, quad({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}), black);
        return estimate_mean(LoopScene(std::move(scene)), loop_frame(narrow_camera({0, 0, 3}, Vec3(0)), 4, 4, 256))
            .mean;
    };
    EXPECT_EQ(seen(AlphaMode::Opaque, 0), 0.0);
    EXPECT_FLOAT_EQ(static_cast<float>(seen(AlphaMode::Mask, 0.49f)), 1.0f);
    EXPECT_EQ(seen(AlphaMode::Mask, 0.5f), 0.0);
    EXPECT_NEAR(seen(AlphaMode::Blend, 0.25f), 0.75, 0.01);
}

TEST(Transport, a_hundred_cut_out_sheets_cost_no_bounce) {
    Scene scene;
    scene.environment = white_sky();
    Material clear = lambert(Vec3(1));
    clear.alpha_mode = AlphaMode::Mask, clear.alpha = 0;
    for (int i = 0; i < 100; ++i) add(scene, quad({-1, -1, 0.01f * i}, {2, 0, 0}, {0, 2, 0}), clear);
    add(scene, quad({-1, -1, -1}, {2, 0, 0}, {0, 2, 0}), lamp(Vec3(0.5f)));
    FrameConstants frame = loop_frame(narrow_camera({0, 0, 3}, Vec3(0)), 1, 1, 4);
    frame.max_depth = 0;
    EXPECT_EQ(render_loop(LoopScene(std::move(scene)), frame).mean().x, 0.5f);
}

TEST(Transport, first_hits_give_albedo_normal_and_distance) {
    Scene scene;
    add(scene, quad({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}), lambert({0.2f, 0.4f, 0.6f}));
    FrameConstants frame = loop_frame(narrow_camera({0, 0, 3}, Vec3(0), 60), 3, 3, 1);
    frame.camera = camera_constants(narrow_camera({0, 3, 4}, Vec3(0), 1e-3f), 3, 3);
    const LoopImage image = render_loop(LoopScene(scene), frame);
    EXPECT_NEAR(image.albedo(1, 1).z, 0.6f, 1e-6f);
    EXPECT_NEAR(image.normal(1, 1).z, 1.0f, 1e-6f);
    EXPECT_NEAR(image.depth(1, 1), 5.0, 1e-3);
    frame.camera = camera_constants(narrow_camera({0, 0, 3}, {0, 0, 9}, 10), 3, 3);
    const LoopImage miss = render_loop(LoopScene(scene), frame);
    EXPECT_EQ(miss.albedo(1, 1), Vec3(0));
    EXPECT_EQ(miss.depth(1, 1), 0.0);
}

TEST(Transport, every_path_is_counted_and_finishes_once) {
    Scene scene;
    scene.environment = white_sky();
    add(scene, box({0, 0, 0}, 1), lambert(Vec3(0.5f)));
    const LoopImage image =
        render_loop(LoopScene(std::move(scene)), loop_frame(narrow_camera({3, 2, 4}, Vec3(0), 40), 13, 7, 5));
    const LoopContext& c = image.context;
    EXPECT_EQ(c[Counter::Paths], 13u * 7 * 5);
    EXPECT_EQ(c[Counter::FinishedPaths], 13u * 7 * 5);
    EXPECT_EQ(c[Counter::CameraRays], 13u * 7 * 5);
    EXPECT_EQ(c[Counter::CameraRays] + c[Counter::ExtensionRays], c[Counter::ShadedHits] + c[Counter::Misses]);
    EXPECT_GT(c[Counter::ShadowRays], 0u);
    EXPECT_EQ(c.rays_by_bounce[0][0], c[Counter::CameraRays]);
    uint64_t shadow_rays = 0, cost = 0;
    for (uint64_t n : c.rays_by_bounce[1]) shadow_rays += n;
    EXPECT_EQ(shadow_rays, c[Counter::ShadowRays]);
    for (uint64_t n : image.film.cost) cost += n;
    EXPECT_EQ(cost, c[Counter::NodeSteps] + c[Counter::TriangleTests]);
    for (uint32_t n : image.film.samples) EXPECT_EQ(n, 5u);
}

TEST(Transport, an_infinite_lamp_is_dropped_and_reported_with_its_pixel) {
    Scene scene;
    add(scene, quad({-1, -1, 0}, {2, 0, 0}, {0, 2, 0}), lamp(Vec3(infinity, 0, 0)));
    const LoopImage image =
        render_loop(LoopScene(std::move(scene)), loop_frame(narrow_camera({0, 0, 3}, Vec3(0)), 2, 1, 3));
    EXPECT_EQ(image.context[Counter::BadSamples], 6u);
    EXPECT_EQ(image.film.num_bad[0], 6u);
    EXPECT_EQ(image.mean(), Vec3(0));
}

}  // namespace
}  // namespace warpath
