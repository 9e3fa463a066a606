#pragma once

#include "bvh/bvh.h"
#include "render/camera.h"
#include "render/film.h"
#include "render/slots.h"
#include "scene/scene_data.h"

namespace warpath {

enum class SamplerKind : uint8_t { Sobol, Independent };
enum class FilterKind : uint8_t { Box, Gaussian, BlackmanHarris };
/// How light with an area is found. The mean is the same; tests compare the three.
enum class LightStrategy : uint8_t {
    Mis,            ///< next-event estimation and bsdf sampling, weighted by the power heuristic
    NextEventOnly,  ///< bsdf samples count emission only after the camera and delta lobes
    BsdfOnly,       ///< no shadow rays; point, spot and directional lights are not seen
};

/// Paths first .. first + count - 1 of a frame, as far as it has them: what one device renders at a time.
struct PathRange {
    uint64_t first = 0, count = ~0ull;
    bool operator==(const PathRange&) const = default;
};

/// What one frame renders. Everything the image depends on besides scene and BVH, and nothing of the schedule.
struct FrameConstants {
    uint32_t width = 0, height = 0, spp = 0;
    uint32_t max_depth = 16;
    uint64_t seed = 0;
    SamplerKind sampler = SamplerKind::Sobol;
    FilterKind filter = FilterKind::BlackmanHarris;
    LightStrategy light_strategy = LightStrategy::Mis;
    CameraConstants camera;
    PathRange range;

    /// Of the whole frame.
    WARPATH_HD uint64_t num_paths() const { return static_cast<uint64_t>(width) * height * spp; }
    /// Of the range.
    WARPATH_HD uint64_t num_range_paths() const {
        const uint64_t left = num_paths() > range.first ? num_paths() - range.first : 0;
        return left < range.count ? left : range.count;
    }
};

/// Which (pixel, sample) a path index stands for. Samples run outermost, so that a stopped render has about as many in every pixel;
/// pixels run in 8x4 tiles, so that 32 consecutive paths start close together. Partial tiles at the film's edge are walked row by row.
struct PathKey {
    uint32_t pixel, sample;
};
WARPATH_HD inline PathKey path_key(const FrameConstants& frame, uint64_t path_index) {
    const uint64_t num_pixels = static_cast<uint64_t>(frame.width) * frame.height;
    const uint32_t sample = static_cast<uint32_t>(path_index / num_pixels);
    const uint32_t i = static_cast<uint32_t>(path_index % num_pixels);
    const uint32_t band_pixels = frame.width * 4;
    const uint32_t band = i / band_pixels;                       // 4 rows, the last one may have fewer
    const uint32_t rows = frame.height - band * 4 < 4 ? frame.height - band * 4 : 4;
    const uint32_t in_band = i - band * band_pixels;
    const uint32_t tile = in_band / (8 * rows);                  // 8 columns, the last one may have fewer
    const uint32_t columns = frame.width - tile * 8 < 8 ? frame.width - tile * 8 : 8;
    const uint32_t in_tile = in_band - tile * 8 * rows;
    const uint32_t x = tile * 8 + in_tile % columns, y = band * 4 + in_tile / columns;
    return {y * frame.width + x, sample};
}

/// Everything the stages read and write; travels to a device as one kernel argument.
struct FrameView {
    FrameConstants constants;
    SceneView scene;
    BvhView bvh;
    SlotsView slots;
    FilmView film;
    const uint64_t* first_path = nullptr;  ///< where the first path's number lies instead of in the range, so that recorded graphs fit the next range too

    WARPATH_HD uint64_t first() const { return first_path ? *first_path : constants.range.first; }
};

}  // namespace warpath
