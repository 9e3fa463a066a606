#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpath {

/// eye, target and up in world units; vertical angle of view in degrees.
struct CameraOption {
    std::array<float, 3> eye, target, up;
    float vfov_deg;
};

struct LoadOptions {
    std::optional<std::filesystem::path> environment;  ///< replaces the scene's own environment
    std::optional<CameraOption> camera;                ///< replaces the scene's own camera
    bool spatial_splits = false;                       ///< BVH with spatial splits: slower to build, faster to trace
    uint32_t num_threads = 0;                          ///< 0: all cores
};

struct SceneInfo {
    uint64_t num_triangles = 0;      ///< that are rendered
    uint64_t num_skipped_triangles = 0;
    uint64_t num_vertices = 0, num_meshes = 0, num_instances = 0, num_materials = 0, num_textures = 0;
    uint64_t num_emissive_triangles = 0, num_punctual_lights = 0;
    std::string environment;         ///< "none", "constant" or the map's name and size
    bool has_sun = false;
    std::array<float, 3> bounds_lo{}, bounds_hi{};
    std::vector<std::string> material_names, warnings;
    CameraOption camera{};
    uint64_t bvh_nodes = 0, bvh_leaves = 0, bvh_references = 0, bvh_bytes = 0;
    uint32_t bvh_max_depth = 0;
    double bvh_sah_cost = 0, load_ms = 0, bvh_build_ms = 0;
    uint64_t scene_bytes = 0;        ///< flat scene columns without the BVH
    /// Defaults from the scene file; unset where it says nothing.
    std::optional<uint32_t> width, height, spp, max_depth;
    std::optional<uint64_t> seed;
    std::optional<float> exposure;
    std::optional<std::string> sampler, filter;
};

struct SceneImpl;

/// A loaded, immutable scene with its BVH. Copies share it. Safe to use from several threads.
class LoadedScene {
  public:
    /// Loads .obj, .gltf, .glb or warpath .json and builds the BVH.
    /// Errors:  BadInput or Io, naming file and line or object.
    static LoadedScene load(const std::filesystem::path& path, const LoadOptions& options = {});
    const SceneInfo& info() const;
    const SceneImpl& impl() const { return *impl_; }

  private:
    std::shared_ptr<const SceneImpl> impl_;
};

}  // namespace warpath
