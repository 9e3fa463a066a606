#include "cli/scene_flags.h"

#include <cstdlib>

#include "cli/parse.h"
#include "warpath/error.h"

namespace warpath::cli {

void SceneFlags::add_to(CLI::App& flags, bool scene_required) {
    flags.add_option("scene", scene_, "scene file: .obj, .gltf, .glb or warpath's .json")
        ->required(scene_required)
        ->type_name("SCENE");
    environment_.add_to(flags, "FILE", "lat-long environment map (.hdr or .exr) instead of the scene's own");
    camera_.add_to(flags, "EYE/TARGET/UP/VFOV",
                   "pinhole camera ex,ey,ez/tx,ty,tz/ux,uy,uz/vfov instead of the scene's own");
    bvh_.add_to(flags, "KIND", "BVH: fast (default), balanced or best: slower to build, faster to trace");
    bvh_cache_.add_to(
        flags, "DIR",
        "folder where finished BVHs are kept and found again (default: $WARPATH_BVH_CACHE; none: nowhere)");
    instancing_.add_to(flags, "WHEN",
                       "keep meshes that several instances show once: auto (default: where copies would take 4 million "
                       "triangles), on or off");
    threads_.add_to(flags, "N", "CPU threads (default: all cores)");
}

LoadOptions SceneFlags::load_options() const {
    LoadOptions options;
    if (environment_.given()) options.environment = environment_.text();
    if (camera_.given()) options.camera = parse_camera(camera_.name(), camera_.text());
    if (bvh_.given()) options.bvh = bvh_quality_of(parse_choice(bvh_.name(), bvh_.text(), bvh_quality_names()));
    if (instancing_.given())
        options.instancing = instancing_of(parse_choice(instancing_.name(), instancing_.text(), instancing_names()));
    const char* usual_cache = std::getenv("WARPATH_BVH_CACHE");
    std::string cache = bvh_cache_.given() ? bvh_cache_.text() : usual_cache ? usual_cache : "";
    if (bvh_cache_.given() && cache.empty())
        throw Error(ErrorCode::BadOption, "--bvh-cache '' is not accepted: give a folder, or none");
    if (cache != "none") options.bvh_cache = cache;
    if (threads_.given())
        options.num_threads = static_cast<uint32_t>(parse_integer(threads_.name(), threads_.text(), 0, 4096));
    return options;
}

}  // namespace warpath::cli
