// A scene is the same whether its instances keep a mesh in common or are laid out.

#include <gtest/gtest.h>

#include "core/random.h"
#include "render/surface.h"
#include "scene/scene_builder.h"
#include "support/path_loop.h"
#include "support/small_scenes.h"

namespace warpath {
namespace {

glm::dmat4 turned(double degrees, glm::dvec3 axis) { return glm::rotate(glm::dmat4(1.0), glm::radians(degrees), axis); }

std::vector<glm::dmat4> transforms() {
    glm::dmat4 shear(1.0);
    shear[1][0] = 0.6, shear[0][2] = -0.3;
    const glm::dmat4 turn = turned(35, {1, -2, 1});
    return {translation({1, 2, 3}) * turn, turn * scaling({0.3, 1.2, 2}), translation({-2, 0, 1}) * turn * shear,
            translation({0, 1, 0}) * turn * scaling({-1, 1, 1}), turn * scaling(glm::dvec3(1e-7)), translation({900, -50, 300}) * turn};
}

class Randoms {
  public:
    explicit Randoms(uint64_t seed) : state_(seed) {}
    float in(float lo, float hi) { return lerp(lo, hi, unit_float(static_cast<uint32_t>(hash_u64(++state_) >> 32))); }
    Vec3 in_cube(float half) { return {in(-half, half), in(-half, half), in(-half, half)}; }

  private:
    uint64_t state_;
};

/// A bent sheet with everything that a mesh can have.
Mesh sheet(bool with_tangents) {
    Mesh mesh;
    mesh.name = "sheet";
    constexpr uint32_t n = 5;
    for (uint32_t j = 0; j <= n; ++j)
        for (uint32_t i = 0; i <= n; ++i) {
            const float x = static_cast<float>(i) / n, y = static_cast<float>(j) / n;
            mesh.positions.emplace_back(x, y, 0.3f * x * x - 0.2f * y);
            mesh.normals.push_back(normalize(Vec3(-0.6f * x, 0.2f, 1)));
            if (with_tangents) mesh.tangents.emplace_back(normalize(Vec3(1, 0.1f, 0.6f * x)), i % 2 ? 1.0f : -1.0f);
            mesh.uvs.emplace_back(x, 1 - y);
            mesh.uvs1.emplace_back(y, x);
            mesh.colors.emplace_back(x, y, 0.5f, 1.0f);
        }
    for (uint32_t j = 0; j < n; ++j)
        for (uint32_t i = 0; i < n; ++i) {
            const uint32_t k = j * (n + 1) + i;
            mesh.triangles.push_back({k, k + 1, k + n + 2}), mesh.triangles.push_back({k, k + n + 2, k + n + 1});
        }
    mesh.material_ids = {0};
    return mesh;
}

/// With a normal map that leans.
Scene sheets(bool with_tangents) {
    Scene scene = scene_of(sheet(with_tangents), transforms());
    Texture texture;
    texture.name = "bump", texture.width = texture.height = 1;
    texture.texels32 = {Vec4(normalize(Vec3(0.4f, 0.2f, 1)) * 0.5f + Vec3(0.5f), 1)};
    scene.textures.push_back(texture);
    scene.materials[0].normal_tex.texture = 0;
    return scene;
}

TEST(InstancedSurface, is_the_surface_that_was_laid_out) {
    for (const bool with_tangents : {false, true}) {
        const SceneData flat = flatten(sheets(with_tangents), InstanceSharing::Off), shared = flatten(sheets(with_tangents), InstanceSharing::On);
        ASSERT_EQ(shared.columns.instances.size(), transforms().size());
        ASSERT_EQ(shared.num_prims, flat.num_prims);
        Randoms random(1);
        for (uint32_t prim_id = 0; prim_id < flat.num_prims; ++prim_id) {
            Hit hit;
            hit.t = 1, hit.u = random.in(0, 0.5f), hit.v = random.in(0, 0.5f), hit.prim_id = prim_id;
            const Vec3 wo = normalize(random.in_cube(1));
            const SurfacePoint a = make_surface_point(flat.view(), hit, wo), b = make_surface_point(shared.view(), hit, wo);
            const float size = length(flat.constants.bounds.extent());
            EXPECT_LT(length(a.position - b.position), 1e-6f * size);
            // Corners are rounded to floats, so that the normals of small triangles far away are not exact in either form.
            const float tolerance = prim_id >= 250 ? 2e-3f : 1e-4f;
            EXPECT_LT(length(a.geometric_normal - b.geometric_normal), tolerance) << prim_id;
            EXPECT_LT(length(a.shading.normal - b.shading.normal), tolerance) << prim_id;
            EXPECT_EQ(a.front_side, b.front_side) << prim_id;
            EXPECT_EQ(a.inputs.uv0, b.inputs.uv0);
            EXPECT_EQ(a.inputs.uv1, b.inputs.uv1);
            EXPECT_EQ(a.inputs.color, b.inputs.color);
            EXPECT_EQ(a.material_id, b.material_id);
            EXPECT_GE(b.offset, a.offset);
            EXPECT_LT(b.offset, a.offset * 1000 + 1e-4f * size);
        }
    }
}

/// Rays that leave points of a single triangle's instance, on both sides and half of the time at grazing angles; how many meet it.
int count_hits(const SceneData& data, const BvhView& bvh, Randoms& random, int num_rays) {
    int num_hits = 0;
    for (int i = 0; i < num_rays; ++i) {
        Hit hit;
        hit.t = 1, hit.u = random.in(0, 1), hit.v = random.in(0, 1), hit.prim_id = 0;
        if (hit.u + hit.v > 1) hit.u = 1 - hit.u, hit.v = 1 - hit.v;
        const SurfacePoint at = make_surface_point(data.view(), hit, normalize(random.in_cube(1)));
        const Frame frame = Frame::from_normal(at.geometric_normal);
        const float side = i % 4 < 2 ? 1.0f : -1.0f;
        const float cosine = i % 2 ? random.in(0, 1) : std::exp2(random.in(-16, 0)), phi = random.in(0, 2 * pi);
        const float sine = std::sqrt(1 - cosine * cosine);
        Ray ray;
        ray.origin = at.origin(side < 0);
        ray.dir = normalize(frame.to_world({sine * std::cos(phi), sine * std::sin(phi), side * cosine}));
        TraversalCost cost;
        num_hits += closest_hit(bvh, ray, AcceptAll{}, cost).prim_id != invalid_id;
    }
    return num_hits;
}

TEST(InstancedSurface, rays_never_hit_the_triangle_they_leave_wherever_it_is) {
    Randoms random(2);
    int num_hits = 0, num_trials = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const float own_size = std::exp2(random.in(-10, 10)), own_place = own_size * (trial % 3 ? 0.0f : std::exp2(random.in(0, 8)));
        Mesh mesh;
        mesh.name = "triangle";
        const Vec3 a = random.in_cube(own_place) + random.in_cube(own_size);
        mesh.positions = {a, a + random.in_cube(own_size), a + random.in_cube(own_size)};
        mesh.triangles = {{0, 1, 2}};
        mesh.material_ids = {0};
        const double scale = std::exp2(random.in(-10, 10)), away = scale * own_size * (trial % 2 ? 0.0 : std::exp2(random.in(0, 12)));
        const glm::dmat4 to_world = translation(glm::dvec3(random.in_cube(1)) * away) * turned(random.in(0, 360), glm::dvec3(random.in_cube(1))) *
                                    scaling(glm::dvec3(Vec3(0.6f) + random.in_cube(0.5f)) * scale);
        const glm::dmat4 aside = translation(glm::dvec3(0, 1, 0) * (1e5 * scale * own_size + 1e3 * away)) * to_world;
        const SceneData data = flatten(scene_of(mesh, {to_world, aside}), InstanceSharing::On);
        if (data.columns.instances.size() != 2) continue;
        const TriangleShape shape = placed_shape(data.view(), find_prim(data.view(), 0));
        const float size = shape.size(), height = length(cross(shape.edge1, shape.edge2)) / length(shape.edge1);
        // Where rounding of the corners alone changes what plane the triangle lies in, no side is well defined.
        if (!(height > 2e-3f * size) || !(height > 1e-3f * TriangleShape::largest(shape.corner))) continue;
        const Bvh bvh = build_bvh(geometry_of(data));
        num_hits += count_hits(data, bvh.view(), random, 100), ++num_trials;
    }
    EXPECT_EQ(num_hits, 0);
    EXPECT_GT(num_trials, 300);
}

/// Turned, stretched and mirrored boxes, some half transparent, and a glass one, over a floor, under the sky and a lamp.
Scene courtyard() {
    Scene scene;
    add(scene, quad({-6, 0, 6}, {12, 0, 0}, {0, 0, -12}), lambert(Vec3(0.6f)));
    add(scene, quad({-1, 6, -1}, {2, 0, 0}, {0, 0, 2}), lamp(Vec3(8)));
    add(scene, box({0, 0, 0}, 0.5f), lambert({0.7f, 0.3f, 0.2f}));
    Material veil = lambert({0.2f, 0.5f, 0.8f});
    veil.alpha_mode = AlphaMode::Blend, veil.alpha = 0.5f;
    add(scene, box({0, 0, 0}, 0.5f), veil);
    Material glass = clear_glass();
    glass.absorption = Vec3(0.5f, 0.1f, 0.1f);
    add(scene, box({0, 0, 0}, 0.5f), glass);
    scene.instances.resize(2);
    for (int i = 0; i < 12; ++i) {
        const glm::dmat4 turn = turned(25.0 * i, {1, 2, 0.3 * i});
        const glm::dvec3 size(i % 4 == 1 ? -1.0 : 1.0, 1.0 + 0.1 * i, 0.7);
        scene.instances.push_back({"box", 2 + static_cast<uint32_t>(i % 3), translation({-3.0 + 2 * (i % 4), 0.9, -3.0 + 2.5 * (i / 4)}) * turn * scaling(size)});
    }
    scene.environment = white_sky(0.4f);
    Camera camera;
    camera.eye = {1, 5, 9}, camera.target = {0, 0.5f, 0}, camera.vfov_deg = 45;
    scene.cameras.push_back(camera);
    return scene;
}

TEST(InstancedScene, renders_as_the_one_that_was_laid_out) {
    const LoopScene flat(courtyard(), InstanceSharing::Off), shared(courtyard(), InstanceSharing::On);
    ASSERT_EQ(shared.data.columns.instances.size(), 12u);
    const FrameConstants frame = loop_frame(flat.data.cameras.front(), 24, 18, 16);
    const Estimate a = estimate_mean(flat, frame), b = estimate_mean(shared, frame);
    EXPECT_NEAR(a.mean, b.mean, 4.0 * std::hypot(a.error, b.error) + 1e-3 * a.mean);

    const LoopImage one = render_loop(flat, frame), other = render_loop(shared, frame);
    double albedo = 0, normal = 0, depth = 0;
    for (uint32_t y = 0; y < 18; ++y)
        for (uint32_t x = 0; x < 24; ++x) {
            albedo += length(one.albedo(x, y) - other.albedo(x, y));
            normal += length(one.normal(x, y) - other.normal(x, y));
            depth += std::abs(one.depth(x, y) - other.depth(x, y));
        }
    // The same samples but where a veil lets others through (it is asked by prim_id, and these are numbered otherwise) or a ray meets an edge.
    EXPECT_LT(albedo / 432, 0.02);
    EXPECT_LT(normal / 432, 0.04);
    EXPECT_LT(depth / 432, 0.2);
}

TEST(InstancedScene, both_traversals_give_the_same_film) {
    const LoopScene shared(courtyard(), InstanceSharing::On);
    const FrameConstants frame = loop_frame(shared.data.cameras.front(), 24, 18, 8);
    const LoopImage a = render_loop<TwoChildTraversal>(shared, frame), b = render_loop<WideTraversal>(shared, frame);
    EXPECT_EQ(a.film.radiance, b.film.radiance);
    EXPECT_EQ(a.film.normal, b.film.normal);
    EXPECT_EQ(a.context[Counter::CameraRays], b.context[Counter::CameraRays]);
}

TEST(InstancedScene, is_white_in_a_white_furnace) {
    Scene scene;
    add(scene, box({0, 0, 0}, 0.5f), lambert(Vec3(1)));
    scene.instances.clear();
    for (int i = 0; i < 4; ++i) scene.instances.push_back({"box", 0, translation({2.0 * i - 3, 0, 0}) * turned(30 * i, {1, 1, 0}) * scaling({1, i % 2 ? -1.4 : 0.8, 1})});
    scene.environment = white_sky();
    Camera camera;
    camera.eye = {0, 1, 8}, camera.target = {0, 0, 0}, camera.vfov_deg = 40;
    scene.cameras.push_back(camera);
    const LoopScene shared(std::move(scene), InstanceSharing::On);
    FrameConstants frame = loop_frame(camera, 16, 12, 16);
    frame.max_depth = 64;
    const LoopImage image = render_loop(shared, frame);
    EXPECT_NEAR(luminance(image.mean()), 1.0f, 0.01f);  // single pixels are noisy: paths end by roulette
}

}  // namespace
}  // namespace warpath
