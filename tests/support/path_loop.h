#pragma once

#include <cmath>
#include <optional>

#include "bvh/build.h"
#include "bvh/wide_traverse.h"
#include "core/context.h"
#include "lights/light_tables.h"
#include "materials/bsdf.h"
#include "materials/energy.h"
#include "render/stage_set.h"
#include "scene/flatten.h"

/// Renders small scenes with one slot and no scheduler: the stages alone, one path after the other.
namespace warpath {

/// The members of Ctx that stages use.
struct LoopContext {
    Counters counters{};
    uint64_t rays_by_bounce[2][num_bounce_bins] = {};

    void count(Counter counter, uint32_t n) { counters[static_cast<size_t>(counter)] += n; }
    void count_ray(RayKind kind, uint32_t bounce) {
        ++rays_by_bounce[static_cast<int>(kind)][std::min(bounce, num_bounce_bins - 1)];
    }
    template <class T>
    T add(T* p, T n) {
        const T old = *p;
        *p += n;
        return old;
    }
    uint64_t operator[](Counter counter) const { return counters[static_cast<size_t>(counter)]; }
};

/// A scene made ready for the stages: flat columns, light tables and BVH.
struct LoopScene {
    SceneData data;
    Bvh bvh;
    WideBvh wide;

    explicit LoopScene(Scene scene, InstanceSharing sharing = InstanceSharing::Auto) {
        for (Material& material : scene.materials) material.kind = simplified_kind(material);
        scene.material_names.resize(scene.materials.size(), "material");
        data = flatten(std::move(scene), sharing);
        data.columns.energy_tables = make_energy_tables();
        build_light_tables(data.columns, data.constants, data.environment, data.sun);
        bvh = build_bvh(geometry_of(data));
        wide = collapse(bvh.view());
    }
};

/// What one render left behind.
struct LoopImage {
    uint32_t width, height, spp;
    FilmConstants scales;
    FilmColumns<HostColumn> film;
    LoopContext context;

    Vec3 pixel(uint32_t x, uint32_t y) const { return unpack(film.radiance, y * width + x, scales.radiance_scale); }
    Vec3 albedo(uint32_t x, uint32_t y) const { return unpack(film.albedo, y * width + x, scales.aov_scale); }
    Vec3 normal(uint32_t x, uint32_t y) const { return unpack(film.normal, y * width + x, scales.aov_scale); }
    double depth(uint32_t x, uint32_t y) const {
        return static_cast<double>(static_cast<int64_t>(film.depth[y * width + x])) / scales.depth_scale / spp;
    }
    Vec3 mean() const {
        Vec3 sum(0.0f);
        for (uint32_t y = 0; y < height; ++y)
            for (uint32_t x = 0; x < width; ++x) sum += pixel(x, y);
        return sum / static_cast<float>(width * height);
    }

  private:
    Vec3 unpack(const std::vector<uint64_t>& sums, size_t pixel, double scale) const {
        const auto value = [&](int i) {
            return static_cast<float>(static_cast<double>(static_cast<int64_t>(sums[3 * pixel + i])) / scale / spp);
        };
        return {value(0), value(1), value(2)};
    }
};

/// Defaults of the frames that tests render.
inline FrameConstants loop_frame(const Camera& camera, uint32_t width, uint32_t height, uint32_t spp) {
    FrameConstants frame;
    frame.width = width, frame.height = height, frame.spp = spp;
    frame.filter = FilterKind::Box;
    frame.camera = camera_constants(camera, width, height);
    return frame;
}

/// Runs every path of the frame to its end.
template <class Traversal = TwoChildTraversal>
LoopImage render_loop(const LoopScene& scene, const FrameConstants& constants) {
    const size_t num_pixels = static_cast<size_t>(constants.width) * constants.height;
    LoopImage image{constants.width, constants.height, constants.spp, {}, {}, {}};
    const Vec3 extent = scene.data.constants.bounds.extent();
    image.scales = film_constants(scene.data.constants.max_radiance, length(extent), constants.spp);
    image.film.radiance.resize(3 * num_pixels), image.film.samples.resize(num_pixels);
    image.film.albedo.resize(3 * num_pixels), image.film.normal.resize(3 * num_pixels);
    image.film.depth.resize(num_pixels), image.film.cost.resize(num_pixels);
    image.film.bad_pixels.resize(max_bad_pixels), image.film.num_bad.resize(1);

    SlotColumns<HostColumn> slots;
    SlotColumns<HostColumn>::for_each_column([](const char*, auto& column) { column.resize(1); }, slots);
    FrameView frame{constants, scene.data.view(), scene.bvh.view(), {}, {}};
    scene.wide.show_to(frame.bvh);
    const auto point = [](const char*, auto& to, auto& from) { to = from.data(); };
    SlotColumns<PointerColumn>::for_each_column(point, frame.slots, slots);
    FilmColumns<PointerColumn>::for_each_column(point, static_cast<FilmColumns<PointerColumn>&>(frame.film),
                                                image.film);
    static_cast<FilmConstants&>(frame.film) = image.scales;

    const StagesWith<Traversal> stages{frame};
    for (uint64_t path = 0; path < constants.num_paths(); ++path) {
        StageId next = stages.generate(image.context, 0, path);
        while (next != StageId::Generate) {
            switch (next) {
                case StageId::Intersect:
                    next = stages.template run<StageId::Intersect>(image.context, 0);
                    break;
                case StageId::Shade:
                    next = stages.template run<StageId::Shade>(image.context, 0);
                    break;
                default:
                    next = stages.template run<StageId::Occlude>(image.context, 0);
                    break;
            }
        }
    }
    return image;
}

/// Mean over the film and over `num_runs` renders with different seeds, and the standard error of that mean, from the
/// spread of the runs. It is the luminance of the film's mean.
struct Estimate {
    double mean = 0.0, error = 0.0;
};
inline Estimate estimate_mean(const LoopScene& scene, FrameConstants constants, int num_runs = 16) {
    double sum = 0.0, squares = 0.0;
    for (int run = 0; run < num_runs; ++run) {
        constants.seed = 1000 + static_cast<uint64_t>(run);
        const double value = luminance(render_loop(scene, constants).mean());
        sum += value, squares += value * value;
    }
    const double mean = sum / num_runs;
    const double variance = std::max(0.0, squares / num_runs - mean * mean) * num_runs / (num_runs - 1);
    return {mean, std::sqrt(variance / num_runs)};
}

}  // namespace warpath
