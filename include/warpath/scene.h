#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpath {

/// eye, target and up in world units; vertical angle of view in degrees.
struct CameraOption {
    std::array<float, 3> eye, target, up;
    float vfov_deg;
    float aperture = 0.0f;           ///< lens radius in world units; 0: pinhole
    float focus_distance = 0.0f;     ///< along the view axis; 0: distance to target

    bool operator==(const CameraOption&) const = default;
};

/// What loading a scene goes through, in about this order: textures are read where the file names them.
enum class LoadStage : uint32_t { Reading, Textures, Flattening, Lights, Bvh, Done };
/// "reading the scene", "reading textures", ...
const char* describe(LoadStage stage);

struct LoadProgress {
    LoadStage stage = LoadStage::Reading;
    double share = 0;                ///< of this stage, 0..1
    std::string item;                ///< the file or texture at hand; may be empty
};

/// How much time building the BVH may take, for a tree that rays pass through faster. None changes the image.
enum class BvhQuality : uint32_t { Fast, Balanced, Best };
/// "fast", "balanced" or "best".
const char* bvh_quality_name(BvhQuality quality);
/// What bvh_quality_of understands: the three names, and "splits", the older name of "balanced".
const std::vector<std::string>& bvh_quality_names();
/// Errors:  BadOption: none of the names.
BvhQuality bvh_quality_of(const std::string& name);

/// What becomes of a mesh that several instances show. The image is the same but for rounding.
enum class Instancing : uint32_t {
    Auto,  ///< laid out for each, which rays pass through fastest, unless that would copy more than 4 million triangles
    On,    ///< kept once, and found through the instances' transforms, wherever that is possible
    Off,   ///< laid out for each, whatever memory that takes
};
/// "auto", "on" or "off".
const char* instancing_name(Instancing instancing);
const std::vector<std::string>& instancing_names();
/// Errors:  BadOption: none of the names.
Instancing instancing_of(const std::string& name);

struct LoadOptions {
    std::optional<std::filesystem::path> environment;  ///< replaces the scene's own environment
    std::optional<CameraOption> camera;                ///< replaces the scene's own camera
    BvhQuality bvh = BvhQuality::Fast;
    Instancing instancing = Instancing::Auto;
    std::filesystem::path bvh_cache;                   ///< folder of finished BVHs, to take from and add to; empty: none
    uint32_t num_threads = 0;                          ///< 0: all cores
    /// Called from the loading thread, whenever a stage begins and now and then within one. May be empty.
    std::function<void(const LoadProgress&)> progress;
    /// Set by any thread: loading gives up soon with Error Stopped. May be null.
    const std::atomic<bool>* stop = nullptr;
};

/// The parameters of a material, without its textures. Colours are linear Rec. 709; a texture multiplies its parameter.
struct MaterialParameters {
    std::array<float, 3> base_color{0.8f, 0.8f, 0.8f};  ///< [0,1]
    std::array<float, 3> emission{};                    ///< radiance, at least 0
    std::array<float, 3> specular_color{1, 1, 1};       ///< tint of the dielectric reflection, [0,1]
    std::array<float, 3> absorption{};                  ///< per unit of world length, at least 0
    float metallic = 0, roughness = 1;                  ///< [0,1]
    float ior = 1.5f;                                   ///< at least 1, or 0 for total reflection
    float specular = 1, transmission = 0;               ///< [0,1]
    float normal_scale = 1;                             ///< of the normal map, where there is one
    float alpha = 1, alpha_cutoff = 0.5f;               ///< coverage, [0,1]; what a mask keeps
    bool thin_walled = false;

    bool operator==(const MaterialParameters&) const = default;
};
struct MaterialInfo {
    std::string name;
    MaterialParameters parameters;
    std::string alpha_mode;              ///< "opaque", "mask" or "blend"
    std::vector<std::string> textured;   ///< names of the parameters that a texture multiplies, as in MaterialParameters; "normal" for a normal map
    bool may_be_transparent = false;     ///< rays ask this material's alpha, so that alpha and alpha_cutoff can be edited live
};

struct SceneInfo {
    uint64_t num_triangles = 0;      ///< that are rendered: of shared meshes, as often as instances show them
    uint64_t num_skipped_triangles = 0;
    std::string instancing = "auto"; ///< as asked for
    uint64_t num_shared_meshes = 0, num_shared_instances = 0;  ///< kept once; instances that show one of those
    uint64_t num_stored_triangles = 0;                         ///< in memory
    uint64_t num_vertices = 0, num_meshes = 0, num_instances = 0, num_materials = 0, num_textures = 0;
    uint64_t num_emissive_triangles = 0, num_punctual_lights = 0;
    std::string environment;         ///< "none", "constant" or the map's name and size
    float environment_rotation_deg = 0, environment_scale = 1;
    bool has_sun = false;
    std::array<float, 3> bounds_lo{}, bounds_hi{};
    std::vector<std::string> material_names, warnings;
    CameraOption camera{};
    uint64_t bvh_nodes = 0, bvh_leaves = 0, bvh_references = 0, bvh_bytes = 0;
    uint32_t bvh_max_depth = 0;
    double bvh_sah_cost = 0, load_ms = 0, bvh_build_ms = 0;  ///< building, or finding it in the cache
    std::string bvh_quality, bvh_cache = "off";  ///< its name; "off", "read" (not built), "kept" (built and added) or "not kept"
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
    /// Errors:  BadInput or Io, naming file and line or object; Stopped.
    static LoadedScene load(const std::filesystem::path& path, const LoadOptions& options = {});
    const SceneInfo& info() const;
    /// Shapes:  info().num_materials entries, indexed as Pick::material and LiveFrame::set_material have it.
    std::vector<MaterialInfo> materials() const;
    const SceneImpl& impl() const { return *impl_; }

  private:
    std::shared_ptr<const SceneImpl> impl_;
};

}  // namespace warpath
