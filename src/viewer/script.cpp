#include "viewer/script.h"

#include <algorithm>
#include <cmath>

#include "viewer/json_file.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

using Json = nlohmann::json;

bool is_number(const Json& json) { return json.is_number() && std::isfinite(json.get<double>()); }
bool is_count(const Json& json) { return json.is_number_unsigned() && json.get<uint64_t>() <= 1000000000; }
bool is_point(const Json& json) {
    return json.is_array() && json.size() == 2 && is_number(json[0]) && is_number(json[1]);
}

bool fits(const Json& json, StepValue value) {
    switch (value) {
        case StepValue::True: return json.is_boolean() && json.get<bool>();
        case StepValue::Text: return json.is_string();
        case StepValue::Texts:
            return json.is_array() && std::all_of(json.begin(), json.end(), [](const Json& item) { return item.is_string(); });
        case StepValue::Count: return is_count(json);
        case StepValue::Number: return is_number(json);
        case StepValue::Point: return is_point(json);
        case StepValue::TwoPoints: return json.is_array() && json.size() == 2 && is_point(json[0]) && is_point(json[1]);
        case StepValue::SizeInPixels:
            return json.is_array() && json.size() == 2 &&
                   std::all_of(json.begin(), json.end(), [](const Json& side) { return is_count(side) && side >= 1 && side <= 16384; });
        case StepValue::Object: return json.is_object();
    }
    return false;
}

const char* wanted(StepValue value) {
    switch (value) {
        case StepValue::True: return "true";
        case StepValue::Text: return "text";
        case StepValue::Texts: return "a list of texts";
        case StepValue::Count: return "a whole number of at least 0";
        case StepValue::Number: return "a number";
        case StepValue::Point: return "[x, y]";
        case StepValue::TwoPoints: return "[[x, y], [x, y]]";
        case StepValue::SizeInPixels: return "[width, height], each from 1 to 16384";
        case StepValue::Object: return "an object";
    }
    return "";
}

const std::vector<StepKind>& kinds() {
    using V = StepValue;
    static const std::vector<StepKind> all = {
        {"wait_loaded", V::True, {{"within_s", V::Number}}, "until the scene is on the device and its first picture on the screen"},
        {"wait_spp", V::Count, {{"within_s", V::Number}}, "until the picture shows all that was asked for, with so many samples per pixel"},
        {"wait_passes", V::Count, {{"within_s", V::Number}}, "until so many more passes are done"},
        {"wait_pairs", V::Count, {{"within_s", V::Number}}, "until A and B were timed so often"},
        {"wait_message", V::Text, {{"within_s", V::Number}}, "until a message holds this text"},
        {"wait_ms", V::Number, {}, "for a time"},
        {"wait_frames", V::Count, {}, "for so many frames of the window"},
        {"move", V::Point, {}, "the mouse to a place, in window coordinates; 0..1 counts in the picture"},
        {"click", V::Point, {{"button", V::Text}}, "there, with \"left\" (default), \"right\" or \"middle\""},
        {"drag", V::TwoPoints, {{"button", V::Text}, {"frames", V::Count}}, "from one place to another, in so many frames (default 10)"},
        {"scroll", V::Number, {}, "the wheel by so many steps"},
        {"key", V::Text, {{"hold_ms", V::Number}}, "a key, such as \"Tab\", \"w\" or \"Ctrl+S\", held for a time"},
        {"scheduler", V::Text, {}, "switch to it"},
        {"mode", V::Text, {{"a", V::Text}, {"b", V::Text}}, "\"one\", \"alternate\" or \"split\", and the schedulers of the last two"},
        {"set", V::Object, {}, "parameters: batch, pool, blocks_per_sm, block_size, refill_below, max_depth, samples_per_pass, sample_limit, "
                               "frame_budget_ms, dynamic_resolution, timelines, exposure, environment_rotation_deg, environment_scale, wipe, turntable_deg_per_s"},
        {"material", V::Object, {}, "edit one: index, and its parameters base_color, emission, metallic, roughness, transmission, ior"},
        {"camera", V::Object, {}, "as scene files write it"},
        {"layer", V::Text, {}, "\"color\", \"albedo\", \"normal\", \"depth\", \"samples\", \"cost\", \"node-steps\", \"triangle-tests\" or \"bounces\""},
        {"resize", V::SizeInPixels, {}, "the window"},
        {"drop", V::Texts, {}, "files on the window"},
        {"cancel", V::True, {}, "loading"},
        {"screenshot", V::Text, {}, "the window as PNG"},
        {"save", V::Text, {{"within_s", V::Number}}, "the picture, by extension as .png, .exr, .hdr or .pfm"},
        {"record", V::True, {}, "numbers of passes from here on"},
        {"write_record", V::Text, {}, "to a .csv or .json"},
        {"flip", V::Count, {{"schedulers", V::Texts}, {"within_s", V::Number}}, "so often: the next scheduler, a pass of one sample, its film compared with the first"},
        {"expect_identical", V::True, {}, "in the split view: all pixels were compared and are the same"},
        {"expect_title", V::Text, {}, "the window's title holds this text"},
        {"measure", V::Text, {{"schedulers", V::Texts}, {"passes", V::Count}, {"inputs", V::Count}},
         "time passes with and without display, and inputs, for each scheduler; write a .json"},
        {"close", V::True, {}, "the window"},
    };
    return all;
}

const StepKind* find_kind(const Json& json) {
    for (const auto& [key, value] : json.items())
        for (const StepKind& kind : kinds())
            if (key == kind.name) return &kind;
    return nullptr;
}

Step check_step(const Json& json, size_t number, const std::string& place) {
    const auto refuse = [&](const std::string& what) -> void {
        throw Error(ErrorCode::BadInput, std::string(place).append(": step ").append(std::to_string(number)).append(" ").append(what));
    };
    if (!json.is_object()) refuse("must be an object, such as {\"wait_spp\": 16}");
    const StepKind* const kind = find_kind(json);
    if (!kind) refuse(json.empty() ? std::string("is empty") : std::string("is of no kind that is known: '").append(json.begin().key()).append("'"));
    const std::string named = std::string("(").append(kind->name).append(")");
    for (const auto& [key, value] : json.items()) {
        const auto check = [&](StepValue needed) {
            if (!fits(value, needed)) refuse(std::string(named).append(": ").append(key).append(" must be ").append(wanted(needed)));
        };
        if (key == kind->name) {
            check(kind->value);
            continue;
        }
        const auto known = std::find_if(kind->more.begin(), kind->more.end(), [&](const auto& more) { return key == more.first; });
        if (known == kind->more.end()) refuse(std::string(named).append(" has no key '").append(key).append("'"));
        check(known->second);
    }
    return {number, kind, json};
}

}  // namespace

std::span<const StepKind> step_kinds() { return kinds(); }

std::vector<Step> check_script(const Json& json, const std::string& place) {
    if (!json.is_array()) throw Error(ErrorCode::BadInput, place + ": a script must be a list of steps");
    std::vector<Step> steps;
    for (size_t i = 0; i < json.size(); ++i) steps.push_back(check_step(json[i], i + 1, place));
    return steps;
}

std::vector<Step> read_script(const std::filesystem::path& path) { return check_script(read_json(path), path.string()); }

}  // namespace warpath::viewer
