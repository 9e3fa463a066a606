#include <gtest/gtest.h>

#ifdef WARPATH_EMBREE_VERSION

#include "embree_agreement.h"

namespace warpath::testing {
namespace {

void expect_agreement(const TestMesh& mesh, uint32_t seed) {
    const EmbreeScene embree(mesh.triangle_view(), mesh.position_view(), RTC_SCENE_FLAG_ROBUST);
    for (const BvhPreset preset : all_presets) {
        SCOPED_TRACE(name_of(preset));
        const Bvh bvh = mesh.build(preset);
        Agreement agreement;
        for (const Ray& ray : random_rays(20000, 1.0f, Vec3(0.0f), seed)) {
            ASSERT_EQ(compare(mesh, bvh, embree, ray, agreement), "");
        }
        EXPECT_GT(agreement.num_hits, 100u);
        EXPECT_LT(agreement.num_edges, agreement.num_rays / 20);
    }
}

TEST(Embree, agrees_on_small_triangles) { expect_agreement(random_soup(20000, 0.05f, 60), 61); }
TEST(Embree, agrees_on_large_triangles) { expect_agreement(random_soup(2000, 1.0f, 62), 63); }
TEST(Embree, agrees_on_a_closed_mesh) { expect_agreement(octasphere(5), 64); }

}  // namespace
}  // namespace warpath::testing

#endif
