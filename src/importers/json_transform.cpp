#include "importers/json_transform.h"

#include <glm/gtc/matrix_transform.hpp>

namespace warpath {

using nlohmann::json;

namespace {

constexpr uint64_t max_copies = 1000000;

glm::dvec3 dvec3_from(const json& value) {
    return {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
}

glm::dmat4 read_matrix(const json& rows) {
    glm::dmat4 matrix(1.0);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column) matrix[column][row] = rows[row][column].get<double>();
    return matrix;
}

glm::dmat4 read_rotation(const JsonScene& json_scene, const json& value, const std::string& pointer) {
    const glm::dmat4 identity(1.0);
    if (value.is_object()) {
        const glm::dvec3 axis = dvec3_from(value["axis"]);
        if (!(glm::length(axis) > 0.0)) json_scene.fail(pointer_to(pointer, "axis"), "must not be the zero vector");
        return glm::rotate(identity, glm::radians(value["angle"].get<double>()), axis);
    }
    const glm::dvec3 angles = glm::radians(dvec3_from(value));
    return glm::rotate(identity, angles.z, glm::dvec3(0, 0, 1)) * glm::rotate(identity, angles.y, glm::dvec3(0, 1, 0)) *
           glm::rotate(identity, angles.x, glm::dvec3(1, 0, 0));
}

glm::dmat4 read_step(const JsonScene& json_scene, const json& step, const std::string& pointer) {
    glm::dmat4 matrix(1.0);
    const glm::dmat4 identity(1.0);
    if (step.contains("matrix")) matrix = read_matrix(step["matrix"]);
    if (step.contains("scale")) {
        const json& scale = step["scale"];
        matrix = glm::scale(identity, scale.is_array() ? dvec3_from(scale) : glm::dvec3(scale.get<double>())) * matrix;
    }
    if (step.contains("rotate_deg"))
        matrix = read_rotation(json_scene, step["rotate_deg"], pointer_to(pointer, "rotate_deg")) * matrix;
    if (step.contains("translate")) matrix = glm::translate(identity, dvec3_from(step["translate"])) * matrix;
    return matrix;
}

glm::dmat4 read_transform(const JsonScene& json_scene, const json& value, const std::string& pointer) {
    if (value.is_object()) return read_step(json_scene, value, pointer);
    glm::dmat4 matrix(1.0);
    for (size_t i = 0; i < value.size(); ++i) matrix = read_step(json_scene, value[i], pointer_to(pointer, i)) * matrix;
    return matrix;
}

/// Uniform in [-1, 1), a function of its arguments alone.
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014: the mixing of
/// SplitMix64.
double jitter(uint64_t copy, uint64_t axis) {
    uint64_t z = (copy * 3 + axis + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-52 - 1.0;
}

/// How one copy differs from the others: about the vertical axis through where `matrix` puts the origin.
glm::dmat4 varied(const glm::dmat4& matrix, const json& vary, uint64_t copy) {
    constexpr uint64_t other_numbers = uint64_t{1} << 40;  // than those that jitter uses
    const double turn = glm::radians(double{float_or(vary, "turn_deg", 0.0f)}) * jitter(copy + other_numbers, 0);
    double scale = 1.0;
    if (vary.contains("scale")) {
        const double least = vary["scale"][0].get<double>(), largest = vary["scale"][1].get<double>();
        scale = least + (largest - least) * 0.5 * (1.0 + jitter(copy + other_numbers, 1));
    }
    const glm::dmat4 identity(1.0);
    const glm::dvec3 origin(matrix[3]);
    return glm::translate(identity, origin) * glm::rotate(identity, turn, glm::dvec3(0, 1, 0)) * glm::scale(identity, glm::dvec3(scale)) *
           glm::translate(identity, -origin) * matrix;
}

/// Offsets of all copies; the last entry of the list varies fastest.
std::vector<glm::dvec3> read_offsets(const JsonScene& json_scene, const json& repeat, const std::string& pointer) {
    std::vector<glm::dvec3> offsets{glm::dvec3(0.0)};
    for (size_t i = 0; i < repeat.size(); ++i) {
        const uint64_t count = repeat[i]["count"].get<uint64_t>();
        if (offsets.size() * count > max_copies)
            json_scene.fail(pointer, "asks for more than " + std::to_string(max_copies) + " copies");
        const glm::dvec3 step(vec3_or(repeat[i], "step", Vec3(0.0f))), spread(vec3_or(repeat[i], "jitter", Vec3(0.0f)));
        std::vector<glm::dvec3> grown;
        for (const glm::dvec3& offset : offsets) {
            for (uint64_t k = 0; k < count; ++k) {
                const uint64_t copy = grown.size();
                grown.push_back(offset + static_cast<double>(k) * step +
                                spread * glm::dvec3(jitter(copy, 0), jitter(copy, 1), jitter(copy, 2)));
            }
        }
        offsets = std::move(grown);
    }
    return offsets;
}

}  // namespace

std::vector<glm::dmat4> read_placements(const JsonScene& json_scene, const json& object, const std::string& pointer) {
    glm::dmat4 matrix(1.0);
    if (object.contains("transform"))
        matrix = read_transform(json_scene, object["transform"], pointer_to(pointer, "transform"));
    const bool varies = object.contains("vary");
    if (varies && object["vary"].contains("scale") && object["vary"]["scale"][0] > object["vary"]["scale"][1])
        json_scene.fail(pointer_to(pointer_to(pointer, "vary"), "scale"), "names the largest factor first; the least one comes first");
    std::vector<glm::dvec3> offsets{glm::dvec3(0.0)};
    if (object.contains("repeat")) offsets = read_offsets(json_scene, object["repeat"], pointer_to(pointer, "repeat"));
    std::vector<glm::dmat4> placements;
    placements.reserve(offsets.size());
    for (const glm::dvec3& offset : offsets) {
        const glm::dmat4 own = varies ? varied(matrix, object["vary"], placements.size()) : matrix;
        placements.push_back(glm::translate(glm::dmat4(1.0), offset) * own);
    }
    return placements;
}

}  // namespace warpath
