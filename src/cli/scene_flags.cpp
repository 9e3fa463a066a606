#include "cli/scene_flags.h"

#include "cli/parse.h"

namespace warpath::cli {

void SceneFlags::add_to(CLI::App& flags, bool scene_required) {
    flags.add_option("scene", scene_, "scene file: .obj, .gltf, .glb or warpath's .json")
        ->required(scene_required)
        ->type_name("SCENE");
    environment_.add_to(flags, "FILE", "lat-long environment map (.hdr or .exr) instead of the scene's own");
    camera_.add_to(flags, "EYE/TARGET/UP/VFOV",
                   "pinhole camera ex,ey,ez/tx,ty,tz/ux,uy,uz/vfov instead of the scene's own");
    bvh_.add_to(flags, "KIND", "BVH: fast (default), or splits (spatial splits: slower to build, faster to trace)");
    threads_.add_to(flags, "N", "CPU threads (default: all cores)");
}

LoadOptions SceneFlags::load_options() const {
    LoadOptions options;
    if (environment_.given()) options.environment = environment_.text();
    if (camera_.given()) options.camera = parse_camera(camera_.name(), camera_.text());
    if (bvh_.given()) options.spatial_splits = parse_choice(bvh_.name(), bvh_.text(), {"fast", "splits"}) == "splits";
    if (threads_.given())
        options.num_threads = static_cast<uint32_t>(parse_integer(threads_.name(), threads_.text(), 0, 4096));
    return options;
}

}  // namespace warpath::cli
