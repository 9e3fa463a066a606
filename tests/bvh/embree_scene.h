#pragma once

#if WARPATH_EMBREE_VERSION == 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <cstring>
#include <stdexcept>

#include "bvh/bvh.h"
#include "scene/scene_data.h"

/// Embree as an oracle and a peer; versions 3 and 4 differ in how a query's options travel.
namespace warpath::testing {

class EmbreeScene {
  public:
    /// `config` as rtcNewDevice takes it.
    EmbreeScene(ArrayView<Triangle> triangles, ArrayView<Vec3> positions, RTCSceneFlags flags,
                RTCBuildQuality quality = RTC_BUILD_QUALITY_MEDIUM, const char* config = nullptr)
        : device_(rtcNewDevice(config)), scene_(rtcNewScene(device_)) {
        rtcSetSceneFlags(scene_, flags);
        rtcSetSceneBuildQuality(scene_, quality);
        RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
        void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3),
                                                 positions.size);
        auto* indices = static_cast<uint32_t*>(rtcSetNewGeometryBuffer(
            geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(uint32_t), triangles.size));
        if (vertices == nullptr || indices == nullptr) throw std::runtime_error("Embree cannot allocate its buffers");
        std::memcpy(vertices, positions.data, positions.size * sizeof(Vec3));
        for (uint32_t i = 0; i < triangles.size; ++i) std::memcpy(indices + 3 * size_t(i), triangles[i].vertex, 12);
        rtcCommitGeometry(geometry);
        rtcAttachGeometry(scene_, geometry);
        rtcReleaseGeometry(geometry);
        rtcCommitScene(scene_);
    }
    EmbreeScene(const EmbreeScene&) = delete;
    EmbreeScene& operator=(const EmbreeScene&) = delete;
    ~EmbreeScene() {
        rtcReleaseScene(scene_);
        rtcReleaseDevice(device_);
    }

    Hit closest_hit(const Ray& ray) const {
        RTCRayHit query;
        query.ray = to_embree(ray);
        query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
#if WARPATH_EMBREE_VERSION == 4
        rtcIntersect1(scene_, &query, nullptr);
#else
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcIntersect1(scene_, &context, &query);
#endif
        if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
        return {query.ray.tfar, query.hit.u, query.hit.v, query.hit.primID};
    }

    bool any_hit(const Ray& ray) const {
        RTCRay query = to_embree(ray);
#if WARPATH_EMBREE_VERSION == 4
        rtcOccluded1(scene_, &query, nullptr);
#else
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        rtcOccluded1(scene_, &context, &query);
#endif
        return query.tfar < 0.0f;
    }

  private:
    static RTCRay to_embree(const Ray& r) {
        RTCRay ray;
        ray.org_x = r.origin.x, ray.org_y = r.origin.y, ray.org_z = r.origin.z, ray.tnear = r.t_min;
        ray.dir_x = r.dir.x, ray.dir_y = r.dir.y, ray.dir_z = r.dir.z, ray.tfar = r.t_max;
        ray.time = 0.0f, ray.mask = ~0u, ray.id = 0, ray.flags = 0;
        return ray;
    }

    RTCDevice device_;
    RTCScene scene_;
};

}  // namespace warpath::testing
