#pragma once

#include <vector>

#include "core/columns.h"
#include "materials/fresnel.h"

/// Directional albedos of the microfacet lobes, tabulated: how much of the light survives a single scattering. What is
/// missing was scattered several times between microfacets, and is given back by scaling.
/// Source: Turquin, "Practical Multiple Scattering Compensation for Microfacet Models", 2019; the weighting of the
/// layer below: Kulla and Conty, "Revisiting Physically Based Shading at Imageworks", SIGGRAPH course 2017.
///
/// Layout, all float, one table after the other; the cosine runs fastest, then roughness, then reflection amplitude:
///
///     white          [rough][cos]         albedo of a lobe that reflects everything
///     white_mean     [rough]              its cosine-weighted mean over the hemisphere
///     rise           [amp][rough][cos]    albedo of a lobe that reflects (F - F0) / (1 - F0), F dielectric, eta >= 1
///     rise_mean      [amp][rough]         its mean
///     total          [2 amp - 1][rough][cos]  albedo of reflection and refraction together, for eta < 1 too
///
/// Axes are uniform in sqrt(cos), in sqrt(roughness) = alpha^(1/4), and in the amplitude (eta - 1) / (eta + 1), which
/// runs over [0, 1], or over [-1, 1] in `total`.
namespace warpath {

inline constexpr uint32_t energy_cos_size = 16, energy_rough_size = 16, energy_amp_size = 17;
inline constexpr uint32_t energy_slice_size = energy_cos_size * energy_rough_size;
inline constexpr uint32_t energy_total_amp_size = 2 * energy_amp_size - 1;
inline constexpr uint32_t energy_white_offset = 0;
inline constexpr uint32_t energy_white_mean_offset = energy_white_offset + energy_slice_size;
inline constexpr uint32_t energy_rise_offset = energy_white_mean_offset + energy_rough_size;
inline constexpr uint32_t energy_rise_mean_offset = energy_rise_offset + energy_amp_size * energy_slice_size;
inline constexpr uint32_t energy_total_offset = energy_rise_mean_offset + energy_amp_size * energy_rough_size;
inline constexpr uint32_t energy_tables_size = energy_total_offset + energy_total_amp_size * energy_slice_size;

/// Computes the tables for SceneColumns::energy_tables, `energy_tables_size` entries.
/// Deterministic: midpoint quadrature over visible normals; entries do not depend on each other or on the thread count.
std::vector<float> make_energy_tables();

/// A position on a table axis of `size` nodes: x in [0, 1].
struct EnergyAxis {
    uint32_t index;
    float weight;

    WARPATH_HD static EnergyAxis at(float x, uint32_t size) {
        const float scaled = saturate(x) * static_cast<float>(size - 1);
        const uint32_t floor_index = static_cast<uint32_t>(scaled);
        const uint32_t index = floor_index < size - 2 ? floor_index : size - 2;
        return {index, scaled - static_cast<float>(index)};
    }
};

/// Looks the tables up for one GGX width; any cosine, width and relative index is allowed.
struct EnergyLookup {
    ArrayView<float> tables;
    EnergyAxis rough;

    WARPATH_HD EnergyLookup(ArrayView<float> energy_tables, float alpha)
        : tables(energy_tables), rough(EnergyAxis::at(sqrtf(sqrtf(alpha)), energy_rough_size)) {}

    WARPATH_HD float white(float cos_o) const { return slice(energy_white_offset, cosine_axis(cos_o)); }
    WARPATH_HD float white_mean() const { return line(energy_white_mean_offset); }
    WARPATH_HD float rise(float cos_o, float eta) const {
        return volume(energy_rise_offset, amplitude_axis(eta), cosine_axis(cos_o));
    }
    WARPATH_HD float rise_mean(float eta) const {
        const EnergyAxis amp = amplitude_axis(eta);
        const uint32_t base = energy_rise_mean_offset + amp.index * energy_rough_size;
        return lerp(line(base), line(base + energy_rough_size), amp.weight);
    }
    WARPATH_HD float total(float cos_o, float eta) const {
        const float root = sqrtf(fabsf(fresnel_amplitude(eta)));
        const float x = fmaf(0.5f, eta < 1.0f ? -root : root, 0.5f);
        return volume(energy_total_offset, EnergyAxis::at(x, energy_total_amp_size), cosine_axis(cos_o));
    }

  private:
    WARPATH_HD static EnergyAxis cosine_axis(float cos_o) { return EnergyAxis::at(safe_sqrt(cos_o), energy_cos_size); }
    WARPATH_HD static EnergyAxis amplitude_axis(float eta) {
        return EnergyAxis::at(sqrtf(fabsf(fresnel_amplitude(eta))), energy_amp_size);
    }
    WARPATH_HD float line(uint32_t base) const {
        const float* p = tables.data + base + rough.index;
        return lerp(p[0], p[1], rough.weight);
    }
    WARPATH_HD float slice(uint32_t base, EnergyAxis cosine) const {
        const float* p = tables.data + base + rough.index * energy_cos_size + cosine.index;
        const float* q = p + energy_cos_size;
        return lerp(lerp(p[0], p[1], cosine.weight), lerp(q[0], q[1], cosine.weight), rough.weight);
    }
    WARPATH_HD float volume(uint32_t base, EnergyAxis amp, EnergyAxis cosine) const {
        const uint32_t first = base + amp.index * energy_slice_size;
        return lerp(slice(first, cosine), slice(first + energy_slice_size, cosine), amp.weight);
    }
};

/// Albedo of the reflection off a dielectric coat, and its mean: specular * (f0 * white + (1 - f0) * rise), because the
/// tinted Fresnel term is linear in (F - F0) / (1 - F0). `f0` is the largest channel, so that what is below never gets
/// more than any channel leaves, and keeps its hue.
struct CoatAlbedo {
    EnergyLookup lookup;
    float f0, specular, eta;

    WARPATH_HD float at(float cos_o) const {
        return saturate(specular * lerp(lookup.rise(cos_o, eta), 0.0f, f0) + specular * f0 * lookup.white(cos_o));
    }
    WARPATH_HD float mean() const {
        return saturate(specular * lerp(lookup.rise_mean(eta), 0.0f, f0) + specular * f0 * lookup.white_mean());
    }
};

}  // namespace warpath
