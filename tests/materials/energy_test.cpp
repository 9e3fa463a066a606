#include "materials/energy.h"

#include <gtest/gtest.h>

#include "bsdf_cases.h"

namespace warpath::test {
namespace {

EnergyLookup lookup(float alpha) { return EnergyLookup(plain_scene().energy_tables, alpha); }

TEST(EnergyTables, come_out_the_same_each_time) {
    EXPECT_EQ(make_energy_tables(), make_energy_tables());
    EXPECT_EQ(make_energy_tables().size(), energy_tables_size);
}

TEST(EnergyTables, hold_albedos) {
    const std::vector<float> tables = make_energy_tables();
    for (uint32_t i = 0; i < energy_tables_size; ++i) {
        const bool rise = i >= energy_rise_offset && i < energy_total_offset;  // a part of an albedo, may dip below 0
        ASSERT_TRUE(is_finite(tables[i]) && tables[i] <= 1.00001f && (rise || tables[i] > 0.0f))
            << i << ": " << tables[i];
    }
    for (const float eta : {1.0f, 1.01f, 1.5f, 4.0f, 15.0f, max_ior})
        for (const float alpha : {0.0f, 0.002f, 0.3f, 1.0f})
            for (const float cos_o : {0.0f, 0.01f, 0.1f, 0.5f, 1.0f}) {
                const float f0 = fresnel_at_normal(eta);
                const float albedo = f0 * lookup(alpha).white(cos_o) + (1.0f - f0) * lookup(alpha).rise(cos_o, eta);
                EXPECT_TRUE(albedo >= 0.0f && albedo <= 1.00001f) << albedo;
            }
}

TEST(EnergyTables, a_smooth_surface_loses_nothing) {
    for (const float cos_o : {0.0f, 0.3f, 1.0f}) {
        EXPECT_NEAR(lookup(0.0f).white(cos_o), 1.0f, 1e-6f);
        EXPECT_NEAR(lookup(0.0f).total(cos_o, 1.5f), 1.0f, 1e-6f);
    }
}

TEST(EnergyTables, equal_indices_reflect_exactly_nothing) {
    for (const float alpha : {0.0f, 0.01f, 0.5f, 1.0f})
        for (const float cos_o : {0.0f, 0.4f, 1.0f}) {
            EXPECT_EQ(lookup(alpha).rise(cos_o, 1.0f), 0.0f);
            EXPECT_EQ((CoatAlbedo{lookup(alpha), 0.0f, 1.0f, 1.0f}.at(cos_o)), 0.0f);
            EXPECT_EQ((CoatAlbedo{lookup(alpha), 0.0f, 1.0f, 1.0f}.mean()), 0.0f);
        }
}

// The tables integrate over visible normals; here the textbook formulas are integrated over outgoing directions.
TEST(EnergyTables, albedo_equals_an_integral_over_directions) {
    for (const float alpha : {0.16f, 0.5f, 1.0f})
        for (const float cos_o : {0.2f, 0.6f, 1.0f}) {
            const Vec3 wo = direction(cos_o, 0.3f);
            double sum = 0.0;
            for_sphere(512, [&](Vec3 wi, double solid_angle) {
                if (wi.z <= 0.0f) return;
                const Vec3 h = normalize(wo + wi);
                const double a2 = alpha * alpha, t = h.z * h.z * (a2 - 1.0) + 1.0, d = a2 / (pi * t * t);
                const auto lambda = [&](double c) {
                    return 0.5 * (std::sqrt(1.0 + a2 * (1.0 - c * c) / (c * c)) - 1.0);
                };
                sum += solid_angle * d / (1.0 + lambda(wo.z) + lambda(wi.z)) / (4.0 * wo.z);
            });
            EXPECT_NEAR(lookup(alpha).white(cos_o), sum, 0.006) << "alpha " << alpha << " cos " << cos_o;
        }
}

TEST(EnergyTables, mean_is_the_cosine_weighted_mean_of_the_interpolated_albedo) {
    for (const float alpha : {0.003f, 0.2f, 0.9f})
        for (const float eta : {1.2f, 1.5f, 3.0f}) {
            double white = 0.0, rise = 0.0;
            const int n = 4000;
            for (int i = 0; i < n; ++i) {
                const float mu = (static_cast<float>(i) + 0.5f) / n;
                white += 2.0 * mu * lookup(alpha).white(mu) / n;
                rise += 2.0 * mu * lookup(alpha).rise(mu, eta) / n;
            }
            EXPECT_NEAR(lookup(alpha).white_mean(), white, 1e-4);
            EXPECT_NEAR(lookup(alpha).rise_mean(eta), rise, 1e-4);
        }
}

}  // namespace
}  // namespace warpath::test
