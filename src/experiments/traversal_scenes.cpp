#include "experiments/traversal_scenes.h"

#include <algorithm>

#include "experiments/soup_mesh.h"

namespace warpath::experiments {
namespace {

uint32_t scaled_side(float side, float scale) { return std::max(32u, static_cast<uint32_t>(side * std::sqrt(scale))); }

// ---- atrium ----

constexpr float hall_x = 20, hall_y = 14, hall_z = 9;  // half length, height, half width
constexpr float columns_z = 4.2f, column_pitch = 2.77f;

void add_shell(SoupMesh& mesh) {
    const auto flat = [](float y) { return [y](float u, float v) { return Vec3(-hall_x + 2 * hall_x * u, y, -hall_z + 2 * hall_z * v); }; };
    mesh.grid(80, 36, flat(0));
    mesh.grid(40, 18, flat(hall_y));
    for (const float side : {-1.0f, 1.0f}) {
        mesh.grid(40, 14, [&](float u, float v) { return Vec3(-hall_x + 2 * hall_x * u, hall_y * v, side * hall_z); });
        mesh.grid(18, 14, [&](float u, float v) { return Vec3(side * hall_x, hall_y * v, -hall_z + 2 * hall_z * u); });
        mesh.box({-hall_x, 5.6f, side < 0 ? -hall_z : 4.0f}, {hall_x, 6.1f, side < 0 ? -4.0f : hall_z});  // a gallery
        mesh.box({-hall_x, 10.6f, side < 0 ? -4.6f : 3.8f}, {hall_x, 11.2f, side < 0 ? -3.8f : 4.6f});    // a beam
    }
}

float column_radius(float v) {
    if (v < 0.06f) return 0.42f;
    if (v > 0.93f) return 0.30f + 1.6f * (v - 0.93f);
    return 0.30f - 0.05f * v + (v < 0.1f || v > 0.88f ? 0.015f * std::sin(v * 90) : 0.0f);
}

void add_columns(SoupMesh& mesh) {
    constexpr int num_columns = 14;
    for (const bool upper : {false, true})
        for (const float side : {-1.0f, 1.0f})
            for (int i = 0; i < num_columns; ++i) {
                const float x = -18 + static_cast<float>(i) * column_pitch, foot = upper ? 6.1f : 0.0f, height = upper ? 4.5f : 4.6f;
                mesh.revolve({x, foot, side * columns_z}, height, 32, 22, column_radius, 0.02f);
                if (i + 1 == num_columns) continue;
                const float arch_x = x + 0.5f * column_pitch, arch_y = foot + height - 0.9f;
                mesh.grid(24, 12, [&](float u, float v) {
                    const float along = pi * u, around = 2 * pi * v, radius = 1.25f + 0.14f * std::cos(around);
                    return Vec3(arch_x - radius * std::cos(along), arch_y + 0.8f * radius * std::sin(along), side * columns_z + 0.2f * std::sin(around));
                });
            }
}

void add_cloths(SoupMesh& mesh, NumberChain& random) {
    for (int i = 0; i < 10; ++i) {
        const float side = i % 2 ? 1.0f : -1.0f, x = -18 + static_cast<float>(i / 2 * 2 + 1) * column_pitch + 0.5f * column_pitch, phase = random.between(0, 6.28f);
        mesh.grid(80, 60, [&](float u, float v) {
            const float fold = (0.08f + 0.12f * (1 - v)) * std::sin(u * 31 + phase + 0.9f * std::sin(v * 5));
            return Vec3(x - 1 + 2 * u, 0.6f + 3.4f * v, side * columns_z + fold + 0.02f * value_noise({u * 30, v * 20, static_cast<float>(i)}, 7));
        });
    }
}

void add_leaves(SoupMesh& mesh, NumberChain& random, Vec3 root) {
    for (int i = 0; i < 420; ++i) {
        const float around = random.between(0, 2 * pi), above = random.between(0.2f, 1.4f), length = random.between(0.3f, 0.9f);
        const Vec3 dir(std::cos(around) * std::cos(above), std::sin(above), std::sin(around) * std::cos(above)), stem = root + dir * length;
        const Vec3 half_width = normalize(cross(dir, random.in_cube())) * 0.045f;
        mesh.triangle(stem - half_width, stem + half_width, stem + dir * 0.14f);
    }
}

void add_vases(SoupMesh& mesh, NumberChain& random) {
    for (int i = 0; i < 20; ++i) {
        const Vec3 foot(-17 + static_cast<float>(i / 2) * 3.6f, 0, (i % 2 ? 1.0f : -1.0f) * (2.7f + 0.3f * random.next()));
        mesh.revolve(foot, 0.9f, 24, 20, [](float v) { return 0.16f + 0.2f * std::sin(3 * v + 0.2f) * (1 - 0.45f * v); });
        add_leaves(mesh, random, foot + Vec3(0, 0.9f, 0));
    }
}

void add_balustrades(SoupMesh& mesh) {
    for (const float side : {-1.0f, 1.0f})
        for (int i = 0; i < 100; ++i)
            mesh.revolve({-19.5f + static_cast<float>(i) * 0.394f, 6.1f, side * 3.95f}, 0.9f, 10, 10, [](float v) { return 0.05f + 0.03f * std::sin(v * 9.4f); });
    for (const float side : {-1.0f, 1.0f}) mesh.box({-hall_x, 7.0f, side < 0 ? -4.05f : 3.85f}, {hall_x, 7.12f, side < 0 ? -3.85f : 4.05f});
}

TraversalScene make_atrium(float) {
    TraversalScene scene{.name = "atrium", .soup = {}, .eye = {-17.5f, 2.4f, 0.6f}, .target = {8, 4.6f, -0.9f}, .vfov_deg = 70, .light_corner = {-8, 13.4f, -2},
                         .light_edges = {{16, 0, 0}, {0, 0, 4}}};
    SoupMesh mesh(scene.soup);
    NumberChain random(1001);
    add_shell(mesh);
    add_columns(mesh);
    add_cloths(mesh, random);
    add_vases(mesh, random);
    add_balustrades(mesh);
    return scene;
}

// ---- terrain ----

float ridge_height(float x, float z) {
    float sum = 0, height = 8;
    Vec3 p(x * 0.035f, 3.7f, z * 0.035f);
    for (uint32_t i = 0; i < 9; ++i, p *= 2.07f, height *= 0.46f) {
        const float ridge = 1 - std::fabs(value_noise(p, 500 + i)) * 1.6f;
        sum += height * ridge * ridge;
    }
    return sum;
}

/// A height field over a square of this side around the origin.
template <class Height>
void add_ground(SoupMesh& mesh, uint32_t num_cells, float side, const Height& height) {
    mesh.grid(num_cells, num_cells, [&](float u, float v) {
        const float x = (u - 0.5f) * side, z = (v - 0.5f) * side;
        return Vec3(x, height(x, z), z);
    });
}

TraversalScene make_terrain(float scale) {
    TraversalScene scene{.name = "terrain", .soup = {}, .eye = {-46, 19, -44}, .target = {-14, 0, -13}, .vfov_deg = 60, .light_corner = {-30, 60, -30},
                         .light_edges = {{60, 0, 0}, {0, 0, 60}}};
    SoupMesh mesh(scene.soup);
    add_ground(mesh, scaled_side(900, scale), 100, ridge_height);
    return scene;
}

// ---- hairball ----

constexpr uint32_t strand_segments = 50, strand_sides = 6;

/// A tube on a random walk that turns back at the ball's surface.
void add_strand(SoupMesh& mesh, uint32_t strand) {
    NumberChain random(0xabc000u + strand);
    Vec3 dir = normalize(random.in_cube()), p = dir * random.between(0.05f, 0.45f), before[strand_sides] = {}, ring[strand_sides];
    for (uint32_t i = 0; i <= strand_segments; ++i) {
        const Vec3 across = normalize(cross(dir, std::fabs(dir.x) < 0.8f ? Vec3(1, 0, 0) : Vec3(0, 1, 0))), up = cross(dir, across);
        const float radius = 0.0022f * (1 - 0.6f * static_cast<float>(i) / strand_segments);
        for (uint32_t k = 0; k < strand_sides; ++k) {
            const float angle = 2 * pi * static_cast<float>(k) / strand_sides;
            ring[k] = p + across * (radius * std::cos(angle)) + up * (radius * std::sin(angle));
        }
        for (uint32_t k = 0; i > 0 && k < strand_sides; ++k) {
            const uint32_t next = (k + 1) % strand_sides;
            mesh.quad(before[k], before[next], ring[next], ring[k]);
        }
        std::copy(ring, ring + strand_sides, before);
        Vec3 turn = random.in_cube() * 0.45f;
        const float distance = length(p);
        if (distance > 0.93f) turn -= p * (1.2f * (distance - 0.93f) / 0.07f);
        dir = normalize(dir + turn);
        p += dir * 0.032f;
    }
}

TraversalScene make_hairball(float scale) {
    TraversalScene scene{.name = "hairball", .soup = {}, .eye = {0.35f, 0.4f, 1.55f}, .target = {0, 0, 0}, .vfov_deg = 58, .light_corner = {-1, 2.2f, -1},
                         .light_edges = {{2, 0, 0}, {0, 0, 2}}};
    const uint32_t num_strands = std::max(50u, static_cast<uint32_t>(5000 * scale));
    constexpr size_t vertices = size_t{strand_segments} * strand_sides * 6;
    scene.soup.resize(num_strands * vertices);
    tbb::parallel_for(0u, num_strands, [&](uint32_t strand) {
        std::vector<Vec3> own;
        own.reserve(vertices);
        SoupMesh mesh(own);
        add_strand(mesh, strand);
        std::copy(own.begin(), own.end(), scene.soup.begin() + static_cast<ptrdiff_t>(strand * vertices));
    });
    return scene;
}

// ---- rocks ----

float hill_height(float x, float z) { return 5 * fractal_noise({x * 0.06f, 9.1f, z * 0.06f}, 7, 900); }

struct Rock {
    Vec3 center, radius;  ///< by axis
    uint32_t seed;
};

std::vector<Rock> scattered_rocks() {
    std::vector<Rock> rocks;
    NumberChain random(77);
    for (uint32_t i = 0; i < 110; ++i) {
        const float x = random.between(-28, 28), z = random.between(-28, 28), size = random.between(0.7f, 2.4f);
        const float wide = random.between(0.7f, 1.3f), high = random.between(0.6f, 1.2f), deep = random.between(0.7f, 1.3f);
        rocks.push_back({{x, hill_height(x, z) + size * 0.35f, z}, Vec3(wide, high, deep) * size, 3000 + 31 * i});
    }
    return rocks;
}

TraversalScene make_rocks(float scale) {
    TraversalScene scene{.name = "rocks10M", .soup = {}, .eye = {-29, hill_height(-29, -25) + 6.5f, -25}, .target = {-10, -1, -8}, .vfov_deg = 60,
                         .light_corner = {-15, 30, -15}, .light_edges = {{30, 0, 0}, {0, 0, 30}}};
    SoupMesh mesh(scene.soup);
    add_ground(mesh, scaled_side(705, scale), 60, hill_height);
    std::vector<Vec3> ball;
    append_icosphere(scale >= 0.9f ? 6 : scale > 0.2f ? 5 : 4, ball);
    const std::vector<Rock> rocks = scattered_rocks();
    const size_t first = scene.soup.size();
    scene.soup.resize(first + rocks.size() * ball.size());
    tbb::parallel_for(size_t{0}, rocks.size(), [&](size_t i) {
        tbb::parallel_for(size_t{0}, ball.size(), [&](size_t j) {
            const Vec3 p = ball[j] * (1 + 0.55f * fractal_noise(ball[j] * 1.7f, 9, rocks[i].seed));
            scene.soup[first + i * ball.size() + j] = rocks[i].center + p * rocks[i].radius;
        });
    });
    return scene;
}

}  // namespace

Bounds TraversalScene::bounds() const {
    Bounds all;
    for (const Vec3& p : soup) all.grow(p);
    return all;
}

const std::vector<GeneratedScene>& generated_scenes() {
    static const std::vector<GeneratedScene> scenes = {{"atrium", make_atrium}, {"terrain", make_terrain}, {"hairball", make_hairball}, {"rocks10M", make_rocks}};
    return scenes;
}

}  // namespace warpath::experiments
