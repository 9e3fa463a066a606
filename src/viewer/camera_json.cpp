#include "viewer/camera_json.h"

#include <cmath>

#include "viewer/json_file.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath::viewer {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& place, const std::string& what) { throw Error(ErrorCode::BadInput, place + ": " + what); }

float number_at(const Json& json, const std::string& key, const std::string& place) {
    const Json& value = json.at(key);
    if (!value.is_number() || !std::isfinite(value.get<float>())) refuse(place, key + " must be a number");
    return value.get<float>();
}

std::array<float, 3> vector_at(const Json& json, const std::string& key, const std::string& place) {
    const Json& value = json.at(key);
    std::array<float, 3> v{};
    if (!value.is_array() || value.size() != 3) refuse(place, key + " must be three numbers");
    for (size_t i = 0; i < 3; ++i) {
        if (!value[i].is_number() || !std::isfinite(value[i].get<float>())) refuse(place, key + " must be three numbers");
        v[i] = value[i].get<float>();
    }
    return v;
}

/// In double, so that no square of a float overflows.
bool sees_something(const CameraOption& camera) {
    std::array<double, 3> d{}, u{};
    for (size_t i = 0; i < 3; ++i) d[i] = static_cast<double>(camera.target[i]) - camera.eye[i], u[i] = camera.up[i];
    const double x = d[1] * u[2] - d[2] * u[1], y = d[2] * u[0] - d[0] * u[2], z = d[0] * u[1] - d[1] * u[0];
    const double lengths = std::hypot(d[0], d[1], d[2]) * std::hypot(u[0], u[1], u[2]);
    return lengths > 0 && std::hypot(x, y, z) > 1e-6 * lengths;
}

void check_keys(const Json& json, const std::string& place) {
    static const std::array known = {"name", "eye", "target", "up", "vfov_deg", "aperture", "focus_distance"};
    if (!json.is_object()) refuse(place, "a camera must be an object with eye and target");
    for (const auto& [key, value] : json.items())
        if (std::find(known.begin(), known.end(), key) == known.end()) refuse(place, "a camera has no key '" + key + "'");
    for (const char* key : {"eye", "target"})
        if (!json.contains(key)) refuse(place, std::string("a camera needs ") + key);
}

}  // namespace

nlohmann::ordered_json camera_json(const CameraOption& camera) {
    nlohmann::ordered_json json = {
        {"eye", camera.eye}, {"target", camera.target}, {"up", camera.up}, {"vfov_deg", camera.vfov_deg}};
    if (camera.aperture > 0) json["aperture"] = camera.aperture;
    if (camera.focus_distance > 0) json["focus_distance"] = camera.focus_distance;
    return json;
}

CameraOption camera_from_json(const Json& json, const std::string& place) {
    check_keys(json, place);
    CameraOption camera{vector_at(json, "eye", place), vector_at(json, "target", place), {0, 1, 0}, 45.0f};
    if (json.contains("up")) camera.up = vector_at(json, "up", place);
    if (json.contains("vfov_deg")) camera.vfov_deg = number_at(json, "vfov_deg", place);
    if (json.contains("aperture")) camera.aperture = number_at(json, "aperture", place);
    if (json.contains("focus_distance")) camera.focus_distance = number_at(json, "focus_distance", place);
    if (!(camera.vfov_deg > 0 && camera.vfov_deg < 180)) refuse(place, "vfov_deg must be between 0 and 180 (ends excluded)");
    if (camera.aperture < 0 || camera.focus_distance < 0) refuse(place, "aperture and focus_distance must not be negative");
    if (!sees_something(camera)) refuse(place, "eye and target must differ, and up must not be along the view");
    return camera;
}

std::vector<Bookmark> read_bookmarks(const std::filesystem::path& path) {
    std::vector<Bookmark> bookmarks;
    if (!std::filesystem::exists(path)) return bookmarks;
    const Json json = read_json(path);
    if (!json.is_array()) refuse(path.string(), "bookmarks must be a list of cameras");
    for (size_t i = 0; i < json.size(); ++i) {
        const std::string place = path.string() + ": camera " + std::to_string(i + 1);
        bookmarks.push_back({"view " + std::to_string(i + 1), camera_from_json(json[i], place)});
        if (!json[i].contains("name")) continue;
        if (!json[i]["name"].is_string()) refuse(place, "name must be text");
        bookmarks.back().name = json[i]["name"].get<std::string>();
    }
    return bookmarks;
}

void write_bookmarks(const std::filesystem::path& path, const std::vector<Bookmark>& bookmarks) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Bookmark& bookmark : bookmarks) {
        nlohmann::ordered_json& entry = list.emplace_back(nlohmann::ordered_json{{"name", bookmark.name}});
        entry.update(camera_json(bookmark.camera));
    }
    write_file(path, list.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace warpath::viewer
