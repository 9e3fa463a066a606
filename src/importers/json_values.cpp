#include "importers/json_values.h"

#include <glm/geometric.hpp>

namespace warpath {

using nlohmann::json;

Vec2 vec2_from(const json& value) { return {value[0].get<float>(), value[1].get<float>()}; }

Vec3 vec3_from(const json& value) { return {value[0].get<float>(), value[1].get<float>(), value[2].get<float>()}; }

Vec3 color_from(const json& value) { return value.is_array() ? vec3_from(value) : Vec3(value.get<float>()); }

float float_or(const json& object, const char* key, float fallback) { return object.value(key, fallback); }

Vec3 vec3_or(const json& object, const char* key, Vec3 fallback) {
    return object.contains(key) ? vec3_from(object[key]) : fallback;
}

std::string string_or(const json& object, const char* key, const std::string& fallback) {
    return object.value(key, fallback);
}

Vec3 direction_from(const JsonScene& json_scene, const json& object, const char* key, const std::string& pointer) {
    const glm::dvec3 v(vec3_from(object[key]));
    const double length = glm::length(v);
    if (!(length > 0.0)) json_scene.fail(pointer_to(pointer, key), "must not be the zero vector");
    return Vec3(v / length);
}

}  // namespace warpath
