#include "importers/gltf_schema.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "importers/gltf_document.h"
#include "importers/gltf_schema_fields.h"

namespace warpath {

namespace {

using nlohmann::json;

constexpr double max_count = 9007199254740992.0;  // 2^53: the largest integer that every JSON reader keeps exactly

/// Where in the file a value stands, for messages. Links point up, so that a million nodes cost no strings.
struct Place {
    const Place* parent = nullptr;
    const char* noun = nullptr;
    size_t index = 0;
    bool counted = true;  ///< "node 3" rather than "volume"

    std::string text() const {
        std::string text = parent ? parent->text() + ", " : std::string();
        return counted ? text.append(noun).append(" ").append(std::to_string(index))
                       : text.append("\"").append(noun).append("\"");
    }
};

class SchemaChecker {
  public:
    SchemaChecker(json& root, const std::filesystem::path& path) : root_(root), path_(path) {}

    void run();

  private:
    void check_members(json& object, std::span<const GltfField> fields, const Place& place);
    void check_field(json& value, const GltfField& field, const Place& place);
    void check_index(json& value, const GltfField& field, const Place& place);
    void check_count(json& value, const GltfField& field, const Place& place);
    void check_number(json& value, const GltfField& field, const Place& place);
    void check_choice(const json& value, const GltfField& field, const Place& place);
    void check_list(json& list, std::span<const GltfField> fields, const char* noun, const Place* parent);
    void check_lights();

    [[noreturn]] void fail(const Place& place, const std::string& what) const {
        fail_gltf(path_, place.text() + " " + what);
    }
    [[noreturn]] void fail_type(const Place& place, const GltfField& field, const char* wanted) const {
        fail(place, std::string("has a \"") + field.key + "\" that is not " + wanted);
    }

    json& root_;
    const std::filesystem::path& path_;
    std::map<std::string, size_t> sizes_;  ///< of the arrays that indices may point into
};

void SchemaChecker::check_count(json& value, const GltfField& field, const Place& place) {
    // Some exporters write 3.0 for 3.
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (number == std::floor(number) && std::abs(number) <= max_count) value = static_cast<int64_t>(number);
    }
    const bool small = field.type == FieldType::SmallCount;
    const uint64_t most = small ? INT32_MAX : static_cast<uint64_t>(max_count);
    const bool fits = value.is_number_unsigned()
                          ? value.get<uint64_t>() <= most
                          : value.is_number_integer() && value.get<int64_t>() >= 0 && value.get<uint64_t>() <= most;
    if (!fits) fail_type(place, field, small ? "an integer from 0 to 2^31 - 1" : "an integer from 0 to 2^53");
}

void SchemaChecker::check_number(json& value, const GltfField& field, const Place& place) {
    if (!value.is_number()) fail_type(place, field, field.length > 0 ? "an array of numbers" : "a number");
    value = value.get<double>();
}

void SchemaChecker::check_choice(const json& value, const GltfField& field, const Place& place) {
    if (!field.choices) return;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    std::string word(1, ' ');
    word.append(text).append(1, ' ');
    if (std::string(1, ' ').append(field.choices).find(word) == std::string::npos)
        fail(place, "has the unknown " + std::string(field.key) + " " + text + "; known are " + field.choices);
}

void SchemaChecker::check_index(json& value, const GltfField& field, const Place& place) {
    check_count(value, field, place);
    const auto index = value.get<uint64_t>();
    const size_t size = sizes_[field.target];
    if (index < size) return;
    const std::string noun = field.noun == std::string("child") ? "node" : field.noun;
    const std::string nouns = noun + (noun.ends_with("sh") ? "es" : "s");
    const std::string there = size == 0   ? "there are no " + nouns
                              : size == 1 ? "there is only 1 " + noun
                                          : "there are only " + std::to_string(size) + " " + nouns;
    fail(place, std::string("names ") + field.noun + " " + std::to_string(index) + ", but " + there);
}

void SchemaChecker::check_field(json& value, const GltfField& field, const Place& place) {
    const Place inside{&place, field.key, 0, false};
    switch (field.type) {
        case FieldType::Index:
            return check_index(value, field, place);
        case FieldType::IndexList:
            if (!value.is_array()) fail_type(place, field, "an array");
            for (json& entry : value) check_index(entry, field, place);
            return;
        case FieldType::IndexMap:
            if (!value.is_object()) fail_type(place, field, "an object");
            for (json& entry : value) check_index(entry, field, place);
            return;
        case FieldType::Count:
        case FieldType::SmallCount:
            check_count(value, field, place);
            return check_choice(value, field, place);
        case FieldType::Number:
            return check_number(value, field, place);
        case FieldType::Numbers:
            if (!value.is_array() || value.size() != field.length)
                fail_type(place, field, ("an array of " + std::to_string(field.length) + " numbers").c_str());
            for (json& entry : value) check_number(entry, field, place);
            return;
        case FieldType::Flag:
            if (!value.is_boolean()) fail_type(place, field, "true or false");
            return;
        case FieldType::Text:
            if (!value.is_string()) fail_type(place, field, "a string");
            return check_choice(value, field, place);
        case FieldType::Object:
            if (!value.is_object()) fail_type(place, field, "an object");
            return check_members(value, field.members, inside);
        case FieldType::ObjectList:
            if (!value.is_array()) fail_type(place, field, "an array");
            return check_list(value, field.members, field.noun, &place);
        case FieldType::TextureInfo:
            if (!value.is_object()) fail_type(place, field, "an object");
            return check_members(value, gltf_texture_info_fields(), inside);
    }
}

void SchemaChecker::check_members(json& object, std::span<const GltfField> fields, const Place& place) {
    for (const GltfField& field : fields) {
        const auto it = object.find(field.key);
        if (it != object.end())
            check_field(*it, field, place);
        else if (field.required)
            fail(place, std::string("has no \"") + field.key + "\"");
    }
}

void SchemaChecker::check_list(json& list, std::span<const GltfField> fields, const char* noun, const Place* parent) {
    size_t index = 0;
    for (json& entry : list) {
        const Place place{parent, noun, index++};
        if (!entry.is_object()) fail(place, "is not an object");
        check_members(entry, fields, place);
    }
}

void SchemaChecker::check_lights() {
    const auto extensions = root_.find("extensions");
    if (extensions == root_.end()) return;
    if (!extensions->is_object()) fail_gltf(path_, "\"extensions\" is not an object");
    const auto punctual = extensions->find("KHR_lights_punctual");
    if (punctual == extensions->end()) return;
    if (!punctual->is_object() || !punctual->contains("lights") || !(*punctual)["lights"].is_array())
        fail_gltf(path_, "\"KHR_lights_punctual\" has no array \"lights\"");
    json& lights = (*punctual)["lights"];
    sizes_["lights"] = lights.size();
    check_list(lights, gltf_light_fields(), "light", nullptr);
}

void SchemaChecker::run() {
    for (const GltfArray& array : gltf_arrays()) {
        const auto it = root_.find(array.key);
        if (it == root_.end()) continue;
        if (!it->is_array()) fail_gltf(path_, std::string("\"") + array.key + "\" is not an array");
        sizes_[array.key] = it->size();
    }
    check_lights();
    for (const GltfArray& array : gltf_arrays())
        if (const auto it = root_.find(array.key); it != root_.end())
            check_list(*it, array.members, array.noun, nullptr);
    if (const auto it = root_.find("scene"); it != root_.end())
        check_index(*it, {"scene", FieldType::Index, false, 0, "scenes", "scene", {}}, {nullptr, "file", 0, false});
}

}  // namespace

void check_gltf_schema(json& root, const std::filesystem::path& path) { SchemaChecker(root, path).run(); }

}  // namespace warpath
