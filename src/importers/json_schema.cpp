#include "importers/json_schema.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>

#include "importers/json_messages.h"
#include "warpath/error.h"

namespace warpath {

namespace {

using nlohmann::json;

bool is_integer(const json& value) {
    if (value.is_number_integer()) return true;
    return value.is_number_float() && std::abs(value.get<double>()) < 9e15 && std::trunc(value.get<double>()) == value;
}

bool has_type(const json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    return type == "integer" ? is_integer(value) : value.is_number();
}

/// A value as a message shows it: short ones as they are, others by type.
std::string shown(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return "an array of " + std::to_string(value.size());
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= 60 ? text : "a long " + std::string(value.type_name());
}

class SchemaCheck {
  public:
    SchemaCheck(const json& root, const std::string& file) : root_(root), file_(file) {}

    void check(const json& value, const json& schema, const std::string& pointer) const {
        check_keywords(schema);
        if (schema.contains("$ref")) check(value, referenced(schema["$ref"]), pointer);
        if (schema.contains("type") && !has_type(value, schema["type"]))
            fail_at(file_, pointer, "must be " + described(schema) + ", got " + shown(value));
        if (schema.contains("const") && value != schema["const"])
            fail_at(file_, pointer, "must be " + schema["const"].dump() + ", got " + shown(value));
        if (schema.contains("enum")) check_enum(value, schema["enum"], pointer);
        if (value.is_number()) check_number(value, schema, pointer);
        if (value.is_string() && schema.contains("minLength") && value.get<std::string>().size() < schema["minLength"])
            fail_at(file_, pointer, "must not be empty");
        if (value.is_array()) check_array(value, schema, pointer);
        if (value.is_object()) check_object(value, schema, pointer);
        if (schema.contains("oneOf")) check(value, chosen(value, schema["oneOf"], pointer), pointer);
    }

  private:
    /// A keyword that this class does not know would be a rule that the document states and nobody checks.
    static void check_keywords(const json& schema) {
        static constexpr std::array<std::string_view, 21> known{"$schema",
                                                                "$defs",
                                                                "$ref",
                                                                "title",
                                                                "description",
                                                                "type",
                                                                "const",
                                                                "enum",
                                                                "minimum",
                                                                "maximum",
                                                                "exclusiveMinimum",
                                                                "exclusiveMaximum",
                                                                "minLength",
                                                                "items",
                                                                "minItems",
                                                                "maxItems",
                                                                "properties",
                                                                "required",
                                                                "additionalProperties",
                                                                "oneOf",
                                                                "default"};
        for (const auto& [key, unused] : schema.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                throw Error(ErrorCode::Internal, "the scene schema uses the unknown keyword \"" + key + "\"");
    }

    const json& referenced(const std::string& reference) const {
        return root_.at(json::json_pointer(reference.substr(1)));
    }
    const json& resolved(const json& schema) const {
        return schema.contains("$ref") && !schema.contains("type") ? resolved(referenced(schema["$ref"])) : schema;
    }

    /// What kind of value a schema asks for: "an array of 3 numbers".
    std::string described(const json& schema) const {
        const json& s = resolved(schema);
        const std::string type = s.value("type", "");
        if (type == "array") {
            std::string text = "an array";
            const json& items = s.contains("items") ? resolved(s["items"]) : s;
            if (s.contains("minItems") && s.contains("maxItems") && s["minItems"] == s["maxItems"])
                text += " of " + s["minItems"].dump() + " " + items.value("type", "item") + "s";
            return text;
        }
        if (type == "null") return type;
        return (type == "object" || type == "integer" ? "an " : "a ") + type;
    }

    void check_enum(const json& value, const json& choices, const std::string& pointer) const {
        if (std::find(choices.begin(), choices.end(), value) != choices.end()) return;
        std::vector<std::string> names;
        for (const json& choice : choices) names.push_back(choice.dump());
        fail_at(file_, pointer, "must be one of " + listed(names, "or") + ", got " + shown(value));
    }

    void check_number(const json& value, const json& schema, const std::string& pointer) const {
        const double x = value.get<double>();
        if (schema.value("type", "") == "number" && !(std::abs(x) <= double{FLT_MAX}))
            fail_at(file_, pointer, "does not fit a 32-bit float, got " + shown(value));
        const bool low_excluded = schema.contains("exclusiveMinimum"),
                   high_excluded = schema.contains("exclusiveMaximum");
        const auto limit = [&](const char* inclusive, const char* exclusive, bool excluded) -> const json* {
            const char* key = excluded ? exclusive : inclusive;
            return schema.contains(key) ? &schema[key] : nullptr;
        };
        const json* low = limit("minimum", "exclusiveMinimum", low_excluded);
        const json* high = limit("maximum", "exclusiveMaximum", high_excluded);
        const bool too_low = low && (low_excluded ? x <= low->get<double>() : x < low->get<double>());
        const bool too_high = high && (high_excluded ? x >= high->get<double>() : x > high->get<double>());
        if (!too_low && !too_high) return;
        std::string text;
        if (low && high) {
            text = "between " + low->dump() + " and " + high->dump();
            if (low_excluded && high_excluded)
                text += " (ends excluded)";
            else if (low_excluded || high_excluded)
                text += " (" + (low_excluded ? low : high)->dump() + " excluded)";
        } else if (low) {
            text = (low_excluded ? "more than " : "at least ") + low->dump();
        } else {
            text = (high_excluded ? "less than " : "at most ") + high->dump();
        }
        fail_at(file_, pointer, "must be " + text + ", got " + shown(value));
    }

    void check_array(const json& value, const json& schema, const std::string& pointer) const {
        const size_t low = schema.value("minItems", size_t{0}), high = schema.value("maxItems", SIZE_MAX);
        if (value.size() < low || value.size() > high) {
            const std::string count = low == high          ? std::to_string(low)
                                      : value.size() < low ? "at least " + std::to_string(low)
                                                           : "at most " + std::to_string(high);
            fail_at(
                file_, pointer,
                "must have " + count + (count == "1" ? " item" : " items") + ", got " + std::to_string(value.size()));
        }
        if (!schema.contains("items")) return;
        for (size_t i = 0; i < value.size(); ++i) check(value[i], schema["items"], pointer_to(pointer, i));
    }

    void check_object(const json& value, const json& schema, const std::string& pointer) const {
        static const json nothing = json::object();
        const json& properties = schema.contains("properties") ? schema["properties"] : nothing;
        for (const auto& [key, member] : value.items()) {
            if (properties.contains(key)) {
                check(member, properties[key], pointer_to(pointer, key));
            } else if (schema.contains("additionalProperties")) {
                const json& additional = schema["additionalProperties"];
                if (additional.is_object())
                    check(member, additional, pointer_to(pointer, key));
                else if (!additional.get<bool>())
                    fail_unknown_key(key, properties, pointer);
            }
        }
        if (!schema.contains("required")) return;
        for (const json& key : schema["required"])
            if (!value.contains(key.get<std::string>())) fail_at(file_, pointer, "lacks the key " + key.dump());
    }

    [[noreturn]] void fail_unknown_key(const std::string& key, const json& properties,
                                       const std::string& pointer) const {
        std::vector<std::string> known;
        for (const auto& [name, unused] : properties.items()) known.push_back(name);
        fail_at(file_, pointer_to(pointer, key), "is not a known key" + suggestion(key, known));
    }

    /// The alternative that the value is meant to be.
    const json& chosen(const json& value, const json& alternatives, const std::string& pointer) const {
        std::vector<const json*> fitting;
        std::vector<std::string> kinds, type_names;
        for (const json& alternative : alternatives) {
            const json& schema = resolved(alternative);
            kinds.push_back(described(schema));
            if (!has_type(value, schema["type"])) continue;
            fitting.push_back(&alternative);
            if (!value.is_object()) continue;
            const json tag = schema.value(json::json_pointer("/properties/type/const"), json());
            type_names.push_back(tag.dump());
            if (!tag.is_null() && value.contains("type") && value["type"] == tag) return alternative;
        }
        if (fitting.empty()) fail_at(file_, pointer, "must be " + listed(kinds, "or") + ", got " + shown(value));
        if (fitting.size() == 1) return *fitting.front();
        if (!value.contains("type"))
            fail_at(file_, pointer, "lacks the key \"type\": one of " + listed(type_names, "or"));
        fail_at(file_, pointer_to(pointer, "type"),
                "must be one of " + listed(type_names, "or") + ", got " + shown(value["type"]));
    }

    const json& root_;
    const std::string& file_;
};

}  // namespace

void check_against_schema(const json& value, const json& schema, const std::string& file) {
    SchemaCheck(schema, file).check(value, schema, "");
}

}  // namespace warpath
