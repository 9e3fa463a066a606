// What the steps "set" and "material" may change.
#include <array>
#include <map>

#include "viewer/script_runner.h"
#include "warpath/error.h"

namespace warpath::viewer {
namespace {

using Json = nlohmann::json;

template <class T>
T number(const std::string& name, const Json& value, double lo, double hi) {
    if (!value.is_number() || !(value.get<double>() >= lo && value.get<double>() <= hi))
        throw Error(ErrorCode::BadInput, name + " must be a number from " + std::to_string(lo) + " to " + std::to_string(hi));
    return static_cast<T>(value.get<double>());
}

bool truth(const std::string& name, const Json& value) {
    if (!value.is_boolean()) throw Error(ErrorCode::BadInput, name + " must be true or false");
    return value.get<bool>();
}

std::array<float, 3> color(const std::string& name, const Json& value) {
    if (!value.is_array() || value.size() != 3) throw Error(ErrorCode::BadInput, name + " must be three numbers");
    return {number<float>(name, value[0], 0, 1e6), number<float>(name, value[1], 0, 1e6), number<float>(name, value[2], 0, 1e6)};
}

}  // namespace

void ScriptRunner::set_parameters(const Json& values) {
    Session& s = app_.session;
    const std::map<std::string, uint32_t*> counts = {
        {"batch", &s.schedule.batch},           {"pool", &s.schedule.pool},
        {"blocks_per_sm", &s.schedule.blocks_per_sm}, {"block_size", &s.schedule.block_size},
        {"refill_below", &s.schedule.refill_below},   {"max_depth", &s.schedule.max_depth},
        {"samples_per_pass", &s.samples_per_pass},    {"sample_limit", &s.sample_limit}};
    const std::map<std::string, float*> numbers = {{"frame_budget_ms", &s.frame_budget_ms},
                                                   {"exposure", &s.develop.exposure},
                                                   {"environment_rotation_deg", &s.scene.environment_rotation_deg},
                                                   {"environment_scale", &s.scene.environment_scale},
                                                   {"wipe", &s.wipe},
                                                   {"turntable_deg_per_s", &s.turntable_deg_per_s}};
    const std::map<std::string, bool*> truths = {{"dynamic_resolution", &s.dynamic_resolution}, {"timelines", &s.timelines}};
    for (const auto& [name, value] : values.items()) {
        if (const auto count = counts.find(name); count != counts.end())
            *count->second = number<uint32_t>(name, value, 0, 1e9);
        else if (const auto real = numbers.find(name); real != numbers.end())
            *real->second = number<float>(name, value, -1e6, 1e6);
        else if (const auto flag = truths.find(name); flag != truths.end())
            *flag->second = truth(name, value);
        else
            throw Error(ErrorCode::BadInput, "there is no parameter '" + name + "'");
    }
}

void ScriptRunner::edit_material(const Json& values) {
    Session& session = app_.session;
    if (!values.contains("index")) throw Error(ErrorCode::BadInput, "a material needs its index");
    const uint32_t index = number<uint32_t>("index", values["index"], 0, static_cast<double>(session.scene.materials.size()) - 1);
    MaterialParameters m = session.material(index);
    for (const auto& [name, value] : values.items()) {
        if (name == "index") continue;
        if (name == "base_color") m.base_color = color(name, value);
        else if (name == "emission") m.emission = color(name, value);
        else if (name == "metallic") m.metallic = number<float>(name, value, 0, 1);
        else if (name == "roughness") m.roughness = number<float>(name, value, 0, 1);
        else if (name == "transmission") m.transmission = number<float>(name, value, 0, 1);
        else if (name == "ior") m.ior = number<float>(name, value, 0, 10);
        else throw Error(ErrorCode::BadInput, "a material has no '" + name + "' here");
    }
    session.edit_material(index, m);
}

}  // namespace warpath::viewer
