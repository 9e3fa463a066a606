#include "materials/energy.h"

#include <tbb/parallel_for.h>

#include <array>

#include "materials/interface.h"
#include "materials/microfacet.h"

namespace warpath {
namespace {

/// Quadrature points over the visible normals. The integrands are even in phi, so half a turn is enough.
constexpr uint32_t num_phi = 8, num_height = 32;

/// One visible normal of the quadrature.
struct Facet {
    Vec3 h;
    float cos_oh;
    float weight;     ///< of the point; they sum to 1
    float reflected;  ///< weight times shadowing of the mirrored direction; 0 below the horizon
};
using Facets = std::array<Facet, num_phi * num_height>;

float node(uint32_t i, uint32_t size) { return static_cast<float>(i) / static_cast<float>(size - 1); }

/// Relative index for a signed root of the amplitude, in (-1, 1).
float eta_of_root(float root) {
    const float amplitude = root * fabsf(root);
    return (1.0f + amplitude) / (1.0f - amplitude);
}

/// Midpoint rule; heights are squeezed towards 1, where the tail of the distribution and the horizon lie.
Facets visible_facets(Vec3 wo, float alpha) {
    Facets facets;
    for (uint32_t i = 0; i < num_phi; ++i)
        for (uint32_t j = 0; j < num_height; ++j) {
            const float s = (static_cast<float>(j) + 0.5f) / num_height;
            const Vec2 u{0.5f * (static_cast<float>(i) + 0.5f) / num_phi, s * (2.0f - s)};
            const Vec3 h = sample_visible_normal(wo, alpha, u), wi = mirror(wo, h);
            const float weight = 2.0f * (1.0f - s) / (num_phi * num_height);
            const float reflected = wi.z > 0.0f ? weight * shadowing_ratio(wo, wi, alpha, ggx_stretch(wo, alpha)) : 0.0f;
            facets[i * num_height + j] = {h, saturate(dot(wo, h)), weight, reflected};
        }
    return facets;
}

struct Albedos {
    double reflected = 0.0, total = 0.0;  ///< of a dielectric: reflection alone, and with refraction
};
Albedos dielectric_albedos(const Facets& facets, Vec3 wo, float alpha, float eta) {
    Albedos sum;
    for (const Facet& facet : facets) {
        const float f = fresnel_dielectric(facet.cos_oh, eta);
        sum.reflected += f * facet.reflected;
        if (f >= 1.0f) continue;
        const Vec3 wi = refract(wo, facet.h, facet.cos_oh, eta);
        if (wi.z < 0.0f) sum.total += (1.0f - f) * facet.weight * shadowing_ratio(wo, wi, alpha, ggx_stretch(wo, alpha));
    }
    sum.total += sum.reflected;
    return sum;
}

float white_albedo(const Facets& facets) {
    double sum = 0.0;
    for (const Facet& facet : facets) sum += facet.reflected;
    return static_cast<float>(sum);
}

/// Fills all entries of one cosine and roughness. The ends of the amplitude axes, where eta is 0 or infinite, reflect
/// everything; a smooth surface loses nothing.
void fill_column(float* tables, uint32_t rough, uint32_t cosine) {
    const float alpha = sqr(sqr(node(rough, energy_rough_size)));
    const float mu = max_of(sqr(node(cosine, energy_cos_size)), 1e-4f);
    const Vec3 wo{safe_sqrt(1.0f - mu * mu), 0.0f, mu};
    const bool smooth = rough == 0;
    const Facets facets = smooth ? Facets{} : visible_facets(wo, alpha);
    const float white = smooth ? 1.0f : white_albedo(facets);
    const uint32_t column = rough * energy_cos_size + cosine;
    tables[energy_white_offset + column] = white;
    for (uint32_t i = 0; i < energy_total_amp_size; ++i) {
        const bool end = i == 0 || i == energy_total_amp_size - 1;
        const float eta = end ? 1.0f : eta_of_root(2.0f * node(i, energy_total_amp_size) - 1.0f);
        const Albedos albedos = end      ? Albedos{white, white}
                                : smooth ? Albedos{fresnel_dielectric(mu, eta), 1.0}
                                         : dielectric_albedos(facets, wo, alpha, eta);
        tables[energy_total_offset + i * energy_slice_size + column] = static_cast<float>(albedos.total);
        if (i + 1 < energy_amp_size) continue;
        const double f0 = fresnel_at_normal(eta);
        const double rise = end ? 0.0 : (albedos.reflected - f0 * white) / (1.0 - f0);
        tables[energy_rise_offset + (i + 1 - energy_amp_size) * energy_slice_size + column] = static_cast<float>(rise);
    }
}

/// Mean over the hemisphere, 2 * integral of E cos d cos, of a row as it is interpolated: linear in t = sqrt(cos), so
/// the integral of E(t) 4 t^3 dt is a polynomial in each cell.
float mean_of_row(const float* row) {
    double sum = 0.0;
    for (uint32_t i = 0; i + 1 < energy_cos_size; ++i) {
        const double a = node(i, energy_cos_size), b = node(i + 1, energy_cos_size);
        const double slope = (row[i + 1] - row[i]) / (b - a), at_zero = row[i] - slope * a;
        sum += at_zero * (b * b * b * b - a * a * a * a) + slope * 0.8 * (b * b * b * b * b - a * a * a * a * a);
    }
    return static_cast<float>(sum);
}

}  // namespace

std::vector<float> make_energy_tables() {
    std::vector<float> tables(energy_tables_size);
    tbb::parallel_for(0u, energy_slice_size, [&](uint32_t column) {
        fill_column(tables.data(), column / energy_cos_size, column % energy_cos_size);
    });
    for (uint32_t rough = 0; rough < energy_rough_size; ++rough) {
        const uint32_t row = rough * energy_cos_size;
        tables[energy_white_mean_offset + rough] = mean_of_row(&tables[energy_white_offset + row]);
        for (uint32_t i = 0; i < energy_amp_size; ++i)
            tables[energy_rise_mean_offset + i * energy_rough_size + rough] =
                mean_of_row(&tables[energy_rise_offset + i * energy_slice_size + row]);
    }
    return tables;
}

}  // namespace warpath
