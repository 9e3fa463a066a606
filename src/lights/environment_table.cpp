#include "lights/environment_table.h"

#include <algorithm>
#include <cmath>

#include "lights/alias_table.h"
#include "warpath/error.h"

namespace warpath {

namespace {

constexpr double pi_d = 3.14159265358979323846;

float valid_or_zero(float x, uint64_t& num_bad) {
    if (is_finite(x) && x >= 0.0f) return x;
    ++num_bad;
    return 0.0f;
}

/// Radiances with colour and scale applied; counts what had to be replaced.
std::vector<Vec3> scaled_texels(const Environment& environment, uint64_t& num_bad) {
    std::vector<Vec3> texels(environment.texels.size());
    for (size_t i = 0; i < texels.size(); ++i) {
        const Vec3 t = environment.texels[i] * environment.color * environment.scale;
        texels[i] = {valid_or_zero(t.x, num_bad), valid_or_zero(t.y, num_bad), valid_or_zero(t.z, num_bad)};
    }
    return texels;
}

/// The colour may have no luminance in single precision and still be light.
double brightness(Vec3 c) {
    return std::max(0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z, 1e-30 * static_cast<double>(max_component(c)));
}

/// Weights 1 2 1 along columns (wrapping) and rows (staying in the first and last).
std::vector<double> spread(const std::vector<Vec3>& texels, uint32_t width, uint32_t height) {
    std::vector<double> across(texels.size()), result(texels.size());
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x) {
            const Vec3* row = texels.data() + static_cast<size_t>(y) * width;
            across[static_cast<size_t>(y) * width + x] = 0.25 * brightness(row[x == 0 ? width - 1 : x - 1]) +
                                                         0.5 * brightness(row[x]) +
                                                         0.25 * brightness(row[x + 1 == width ? 0 : x + 1]);
        }
    for (uint32_t y = 0; y < height; ++y) {
        const size_t above = static_cast<size_t>(y == 0 ? 0 : y - 1) * width, row = static_cast<size_t>(y) * width;
        const size_t below = static_cast<size_t>(y + 1 == height ? y : y + 1) * width;
        for (uint32_t x = 0; x < width; ++x)
            result[row + x] = 0.25 * across[above + x] + 0.5 * across[row + x] + 0.25 * across[below + x];
    }
    return result;
}

double row_solid_angle(uint32_t row, uint32_t width, uint32_t height) {
    const double top = pi_d * row / height, bottom = pi_d * (row + 1) / height;
    return 2.0 * pi_d / width * 2.0 * std::sin(0.5 * (bottom - top)) * std::sin(0.5 * (bottom + top));
}

/// Returns the integral of the spread luminance; fills the alias table and densities if it is not 0.
double build_tables(SceneColumns<HostColumn>& columns, uint32_t width, uint32_t height) {
    std::vector<double> density = spread(columns.env_texels, width, height), weights(density.size());
    double sum = 0.0;
    for (uint32_t y = 0; y < height; ++y) {
        const double solid_angle = row_solid_angle(y, width, height);
        for (size_t i = static_cast<size_t>(y) * width; i < static_cast<size_t>(y + 1) * width; ++i)
            sum += weights[i] = density[i] * solid_angle;
    }
    columns.env_pdf.assign(density.size(), 0.0f);
    if (!(sum > 0.0)) return 0.0;
    for (size_t i = 0; i < density.size(); ++i) columns.env_pdf[i] = static_cast<float>(density[i] / sum);
    columns.env_alias = build_alias_table(weights);
    return sum;
}

}  // namespace

double build_environment(SceneColumns<HostColumn>& columns, SceneConstants& constants,
                         const std::optional<Environment>& environment, std::vector<std::string>& warnings) {
    columns.env_texels.clear(), columns.env_alias.clear(), columns.env_pdf.clear();
    constants.env_width = constants.env_height = 0;
    constants.env_color = Vec3(0.0f);
    constants.env_rotation = 0.0f;
    constants.has_environment = environment.has_value();
    if (!environment) return 0.0;

    if (environment->width == 0 || environment->height == 0) {
        uint64_t num_bad = 0;
        const Vec3 c = environment->color * environment->scale;
        constants.env_color = {valid_or_zero(c.x, num_bad), valid_or_zero(c.y, num_bad), valid_or_zero(c.z, num_bad)};
        if (num_bad > 0)
            warnings.push_back("environment: its constant radiance is not finite or negative; that part is black");
        constants.max_radiance = std::max(constants.max_radiance, max_component(constants.env_color));
        return 4.0 * pi_d * brightness(constants.env_color);
    }
    const size_t num_texels = static_cast<size_t>(environment->width) * environment->height;
    if (environment->texels.size() != num_texels || num_texels >= invalid_id)
        throw Error(ErrorCode::BadInput, "environment " + environment->name + ": " +
                                             std::to_string(environment->texels.size()) +
                                             " texels do not make a map of " + std::to_string(environment->width) +
                                             "x" + std::to_string(environment->height));
    uint64_t num_bad = 0;
    columns.env_texels = scaled_texels(*environment, num_bad);
    if (num_bad > 0)
        warnings.push_back("environment " + environment->name + ": " + std::to_string(num_bad) +
                           " values are NaN, infinite or negative; they count as 0");
    constants.env_width = environment->width;
    constants.env_height = environment->height;
    constants.env_rotation = environment->rotation_deg * (pi / 180.0f);
    for (Vec3 texel : columns.env_texels)
        constants.max_radiance = std::max(constants.max_radiance, max_component(texel));
    return build_tables(columns, environment->width, environment->height);
}

}  // namespace warpath
