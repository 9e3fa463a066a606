#include <algorithm>

#include "importers/mtl.h"

namespace warpath {

Texture normals_from_heights(const Texture& source, float strength, bool clamp) {
    const auto width = static_cast<int>(source.width), height = static_cast<int>(source.height);
    const auto at = [&](int x, int y) {
        x = clamp ? std::clamp(x, 0, width - 1) : (x + width) % width;
        y = clamp ? std::clamp(y, 0, height - 1) : (y + height) % height;
        const size_t i = static_cast<size_t>(y) * source.width + static_cast<size_t>(x);
        return source.texels8.empty() ? source.texels32[i].x : static_cast<float>(source.texels8[4 * i]) / 255.0f;
    };
    Texture normals;
    normals.name = source.name + " as normals";
    normals.width = source.width, normals.height = source.height;
    // Float texels: 8 bits cannot hold the flat normal (0.5, 0.5, 1) exactly, and flat parts should stay flat.
    normals.texels32.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float slope_right = 0.5f * strength * (at(x + 1, y) - at(x - 1, y));
            const float slope_up = 0.5f * strength * (at(x, y - 1) - at(x, y + 1));  // rows run down
            const Vec3 n = normalize(Vec3(-slope_right, -slope_up, 1.0f));
            normals.texels32.emplace_back(n * 0.5f + 0.5f, 1.0f);
        }
    return normals;
}

}  // namespace warpath
