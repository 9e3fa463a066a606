#include "api/image_ssim.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpath {
namespace {

constexpr size_t max_window = 11;

/// Normalised Gaussian weights, sigma 1.5, centred on the window.
std::vector<double> gaussian(size_t size) {
    std::vector<double> weights(size);
    double sum = 0;
    for (size_t i = 0; i < size; ++i) {
        const double x = static_cast<double>(i) - static_cast<double>(size - 1) / 2;
        sum += weights[i] = std::exp(-x * x / (2 * 1.5 * 1.5));
    }
    for (double& w : weights) w /= sum;
    return weights;
}

/// Weighted sums of a, b, a^2, b^2 and ab.
using Moments = std::array<double, 5>;

void add_weighted(Moments& sum, const Moments& m, double weight) {
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += weight * m[k];
}

/// The moments of row y, filtered along x.
void filter_row(const Plane& a, const Plane& b, size_t y, const std::vector<double>& weights,
                std::vector<Moments>& out) {
    for (size_t x = 0; x < out.size(); ++x) {
        Moments sum{};
        for (size_t i = 0; i < weights.size(); ++i) {
            const double va = a.values[y * a.width + x + i], vb = b.values[y * a.width + x + i];
            add_weighted(sum, {va, vb, va * va, vb * vb, va * vb}, weights[i]);
        }
        out[x] = sum;
    }
}

/// Equation 13 of the paper.
double ssim(const Moments& m, double peak) {
    const double c1 = 0.01 * peak * 0.01 * peak, c2 = 0.03 * peak * 0.03 * peak;
    const double mean_a = m[0], mean_b = m[1];
    const double var_a = m[2] - mean_a * mean_a, var_b = m[3] - mean_b * mean_b, covariance = m[4] - mean_a * mean_b;
    return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
           ((mean_a * mean_a + mean_b * mean_b + c1) * (var_a + var_b + c2));
}

}  // namespace

double mean_ssim(const Plane& a, const Plane& b, double peak) {
    if (!(peak > 0)) return a.values == b.values ? 1.0 : 0.0;
    const std::vector<double> weights_x = gaussian(std::min(max_window, a.width));
    const std::vector<double> weights_y = gaussian(std::min(max_window, a.height));
    const size_t num_x = a.width - weights_x.size() + 1, num_y = a.height - weights_y.size() + 1;
    // Rows already filtered along x; a ring as long as the window is high.
    std::vector<std::vector<Moments>> rows(weights_y.size(), std::vector<Moments>(num_x));
    double sum = 0;
    for (size_t y = 0; y < a.height; ++y) {
        filter_row(a, b, y, weights_x, rows[y % rows.size()]);
        if (y + 1 < rows.size()) continue;
        const size_t first = y + 1 - rows.size();
        for (size_t x = 0; x < num_x; ++x) {
            Moments m{};
            for (size_t i = 0; i < rows.size(); ++i) add_weighted(m, rows[(first + i) % rows.size()][x], weights_y[i]);
            sum += ssim(m, peak);
        }
    }
    return sum / (static_cast<double>(num_x) * static_cast<double>(num_y));
}

}  // namespace warpath
