#include <cmath>

#include "importers/image_file.h"
#include "importers/importer.h"
#include "importers/texture_loader.h"

namespace warpath {

Environment import_environment(const std::filesystem::path& path, std::vector<std::string>* warnings) {
    ImageFile image = read_image_file(path);
    Environment environment;
    environment.name = path.string();
    environment.width = image.width;
    environment.height = image.height;
    const Texture texture = make_texture(std::move(image), environment.name, TextureUse::Color);
    const size_t num_texels = size_t{texture.width} * texture.height;
    environment.texels.resize(num_texels);
    uint64_t num_bad = 0;
    for (size_t i = 0; i < num_texels; ++i) {
        Vec3& out = environment.texels[i];
        if (texture.texels32.empty()) {
            const uint8_t* t = &texture.texels8[4 * i];
            out = {srgb_to_linear(t[0] / 255.0f), srgb_to_linear(t[1] / 255.0f), srgb_to_linear(t[2] / 255.0f)};
        } else {
            out = Vec3(texture.texels32[i]);
        }
        bool bad = false;
        for (int c = 0; c < 3; ++c)
            if (!(out[c] >= 0.0f) || out[c] == infinity) out[c] = 0.0f, bad = true;
        num_bad += bad;
    }
    if (num_bad > 0 && warnings)
        warnings->push_back("environment map '" + environment.name + "' has " + std::to_string(num_bad) +
                            " texels that are NaN, infinite or negative; they count as 0");
    return environment;
}

}  // namespace warpath
