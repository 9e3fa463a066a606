#include "experiments/plan_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "experiments/list.h"
#include "importers/json_messages.h"
#include "importers/json_schema.h"
#include "importers/json_text.h"
#include "warpath/error.h"

namespace warpath::experiments {
namespace {

using nlohmann::json;

/// Replaces an axis by the file's, if it is there.
template <class T>
void take(const json& document, const char* key, T& value) {
    if (document.contains(key)) value = document[key].get<T>();
}

View view_from(const json& entry, const std::string& pointer, const std::filesystem::path& plan_file) {
    const std::filesystem::path folder = plan_file.parent_path();
    if (entry.is_string()) return view_of_scene(folder / entry.get<std::string>());
    View view = view_of_scene(folder / entry["file"].get<std::string>());
    take(entry, "name", view.name);
    if (entry.contains("env")) view.load.environment = folder / entry["env"].get<std::string>();
    try {
        if (entry.contains("camera")) view.load.camera = read_camera(entry["camera"]);
    } catch (const Error& e) {
        fail_at(plan_file.string(), pointer_to(pointer, "camera"), std::string("is wrong: ") + e.what());
    }
    return view;
}

/// Checks names against what there is.
void check_names(const std::vector<std::string>& names, const std::vector<std::string>& known, const std::string& pointer,
                 const std::filesystem::path& file, const std::string& what) {
    for (size_t i = 0; i < names.size(); ++i)
        if (std::find(known.begin(), known.end(), names[i]) == known.end())
            fail_at(file.string(), pointer_to(pointer, i), "names no " + what + ": '" + names[i] + "'" + suggestion(names[i], known));
}

void check_options(const json& options, const std::filesystem::path& file) {
    std::vector<std::string> names;
    for (const Experiment* experiment : list_experiments()) names.push_back(experiment->name);
    for (const auto& [name, own] : options.items()) {
        const std::string pointer = pointer_to("/options", name);
        if (std::find(names.begin(), names.end(), name) == names.end())
            fail_at(file.string(), pointer, "names no experiment" + suggestion(name, names));
        for (const Experiment* experiment : list_experiments())
            for (const auto& [key, value] : own.items())
                if (name == experiment->name && std::find(experiment->options.begin(), experiment->options.end(), key) == experiment->options.end())
                    fail_at(file.string(), pointer_to(pointer, key), "is no option of this experiment" + suggestion(key, experiment->options));
    }
}

}  // namespace

std::optional<Film> film_from(const std::string& text) {
    Film film;
    int length = 0;
    const bool read = std::sscanf(text.c_str(), "%5ux%5u%n", &film.width, &film.height, &length) == 2;
    if (!read || static_cast<size_t>(length) != text.size() || film.width == 0 || film.height == 0) return std::nullopt;
    return film;
}

json read_plan_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error(ErrorCode::Io, "cannot read the plan " + file.string());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const json document = parse_json_text(text, file.string());
    if (!document.is_object()) throw Error(ErrorCode::BadInput, file.string() + ": a plan is a JSON object");
    check_against_schema(document, json::parse(plan_schema_text()), file.string());
    return document;
}

std::string backend_of_plan(const json& document) {
    if (document.contains("backend")) return document["backend"];
    for (const DeviceInfo& info : list_devices())
        if (info.backend == "cuda" && info.usable) return "cuda";
    return "cpu";
}

void apply_plan_file(Plan& plan, const json& document, const std::filesystem::path& file) {
    const std::vector<std::string> known_schedulers = plan.schedulers;
    std::vector<std::string> known_experiments;
    for (const Experiment* experiment : list_experiments()) known_experiments.push_back(experiment->name);
    take(document, "experiments", plan.experiments), take(document, "schedulers", plan.schedulers);
    check_names(plan.experiments, known_experiments, "/experiments", file, "experiment");
    check_names(plan.schedulers, known_schedulers, "/schedulers", file, "scheduler of this backend");
    if (document.contains("scenes")) {
        plan.scenes.clear();
        for (const json& entry : document["scenes"])
            plan.scenes.push_back(view_from(entry, pointer_to("/scenes", plan.scenes.size()), file));
    }
    if (document.contains("film")) {
        plan.films.clear();
        for (const json& entry : document["film"]) {
            const auto film = film_from(entry);
            if (!film) fail_at(file.string(), pointer_to("/film", plan.films.size()), "is no film size such as \"1920x1080\": " + entry.dump());
            plan.films.push_back(*film);
        }
    }
    take(document, "spp", plan.spp), take(document, "depth", plan.depths), take(document, "batch", plan.batches);
    take(document, "blocks", plan.blocks), take(document, "pool", plan.pools), take(document, "block_size", plan.block_sizes);
    take(document, "refill_below", plan.refills), take(document, "device", plan.device), take(document, "threads", plan.threads);
    take(document, "seed", plan.seed), take(document, "warm_up", plan.warm_up), take(document, "repeats", plan.repeats);
    take(document, "max_repeats", plan.max_repeats), take(document, "interval", plan.interval), take(document, "budget", plan.budget_s);
    if (document.contains("bvh")) plan.bvh = bvh_quality_of(document["bvh"].get<std::string>());
    if (document.contains("options")) {
        check_options(document["options"], file);
        plan.options = Json::parse(document["options"].dump());
    }
    plan.max_repeats = std::max(plan.max_repeats, plan.repeats);
}

}  // namespace warpath::experiments
