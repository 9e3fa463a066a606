#pragma once

#include <cstddef>
#include <vector>

namespace warpath {

/// One plane of values, rows from the top.
struct Plane {
    std::vector<float> values;
    size_t width = 0, height = 0;
};

/// Mean structural similarity over all windows that lie inside the image, see `compare_images`. Both planes have one
/// size. peak: the range of the values (L in the paper); 0 (two black images) gives 1.
double mean_ssim(const Plane& a, const Plane& b, double peak);

}  // namespace warpath
