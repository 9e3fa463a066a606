#include "warpath/profile.h"

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "api/renderer_impl.h"
#include "api/scene_impl.h"
#include "warpath/error.h"
#include "warpath/file.h"

namespace warpath {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int format = 1;

/// One entry for each number of a profile, with the largest value that an option may have.
struct Number {
    const char* name;
    uint32_t Profile::*value;
    uint32_t RenderOptions::*option;
    uint32_t most;
};
constexpr Number numbers[] = {{"batch", &Profile::batch, &RenderOptions::batch, 1u << 20},
                              {"pool", &Profile::pool, &RenderOptions::pool, 1u << 30},
                              {"blocks_per_sm", &Profile::blocks_per_sm, &RenderOptions::blocks_per_sm, 1024},
                              {"block_size", &Profile::block_size, &RenderOptions::block_size, 1024},
                              {"refill_below", &Profile::refill_below, &RenderOptions::refill_below, 32}};

/// Where schedulers' choices change on the H200 (schedulers/auto.h), so that a class holds frames that behave alike.
std::string scene_class(uint64_t num_triangles, uint64_t num_paths, bool on_cuda) {
    constexpr uint64_t small = 1u << 12, medium = 1u << 18, few = 1u << 18, many = 1u << 23;
    const std::string triangles = num_triangles < small ? "small" : num_triangles < medium ? "medium" : "large";
    if (!on_cuda) return triangles;
    return triangles + (num_paths < few ? "-few" : num_paths <= many ? "-many" : "-very-many");
}

std::string cpu_name(const std::string& listed, uint32_t num_threads) {
    const uint32_t threads = num_threads > 0 ? num_threads : std::max(1u, std::thread::hardware_concurrency());
    return listed.substr(0, listed.rfind(", ")) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

Json key_json(const ProfileKey& key) {
    return {{"device", key.device}, {"backend", key.backend}, {"scheduler", key.scheduler}, {"scene_class", key.scene_class}};
}

uint32_t number_from(const Json& document, const Number& number) {
    const Json& value = document.at(number.name);
    if (!value.is_number_unsigned() || value.get<uint64_t>() > number.most)
        throw Error(ErrorCode::BadInput, std::string(number.name) + " is " + value.dump() + ", not a number from 0 to " + std::to_string(number.most));
    return value.get<uint32_t>();
}

Profile profile_from(const Json& document) {
    if (document.at("warpath_profile") != format || document.at("version") != version())
        throw Error(ErrorCode::BadInput, "it is of another version of warpath");
    Profile profile;
    const Json& key = document.at("key");
    profile.key = {key.at("device"), key.at("backend"), key.at("scheduler"), key.at("scene_class")};
    for (const Number& number : numbers) profile.*number.value = number_from(document, number);
    profile.default_ms = document.at("default_ms"), profile.tuned_ms = document.at("tuned_ms");
    profile.scene = document.at("scene"), profile.date = document.at("date");
    return profile;
}

}  // namespace

ProfileKey profile_key(const LoadedScene& scene, const RenderOptions& options) {
    ProfileKey key;
    const std::vector<DeviceInfo> devices = list_devices();
    key.backend = options.backend;
    for (const DeviceInfo& info : devices)
        if (key.backend.empty() && info.backend == "cuda" && info.usable) key.backend = "cuda";
    if (key.backend.empty()) key.backend = "cpu";
    uint32_t number = 0;
    for (const DeviceInfo& info : devices)
        if (info.backend == key.backend && number++ == options.device) key.device = info.name;
    const bool on_cuda = key.backend == "cuda";
    if (!on_cuda) key.device = cpu_name(key.device, options.num_threads);
    const SceneImpl& loaded = scene.impl();
    key.scheduler = chosen_scheduler(make_job(loaded.data, loaded.bvh, options), on_cuda);
    key.scene_class = scene_class(loaded.data.columns.triangles.size(), uint64_t{options.width} * options.height * options.spp, on_cuda);
    return key;
}

fs::path profile_folder() {
    const char* data = std::getenv("XDG_DATA_HOME");
    if (data && *data == '/') return fs::path(data) / "warpath" / "profiles";  // the standard says to ignore relative ones
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) / ".local" / "share" / "warpath" / "profiles" : fs::path();
}

fs::path profile_file(const ProfileKey& key, const fs::path& folder) {
    std::string name;
    for (const std::string& part : {key.backend, key.device, key.scheduler, key.scene_class}) {
        if (!name.empty()) name += '.';
        for (const char c : part.substr(0, 60)) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '-';
    }
    return folder / (name + ".json");
}

fs::path save_profile(const Profile& profile, const fs::path& folder) {
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) throw Error(ErrorCode::Io, "cannot make the folder of profiles " + folder.string() + ": " + failure.message());
    Json document = {{"warpath_profile", format}, {"version", version()}, {"key", key_json(profile.key)}};
    for (const Number& number : numbers) document[number.name] = profile.*number.value;
    document["default_ms"] = profile.default_ms, document["tuned_ms"] = profile.tuned_ms;
    document["scene"] = profile.scene, document["date"] = profile.date;
    fs::path file = profile_file(profile.key, folder);
    write_file(file, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    return file;
}

Profile read_profile(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in && text.empty()) throw Error(ErrorCode::Io, "cannot read the profile " + file.string());
    try {
        return profile_from(Json::parse(text));
    } catch (const Error& e) {
        throw Error(ErrorCode::BadInput, "the profile " + file.string() + " cannot be used: " + e.what());
    } catch (const Json::exception&) {
        throw Error(ErrorCode::BadInput, "the profile " + file.string() + " cannot be used: it is damaged");
    }
}

FoundProfile find_profile(const ProfileKey& key, const fs::path& folder) {
    FoundProfile found;
    std::error_code ignored;
    if (folder.empty()) return found;
    found.file = profile_file(key, folder);
    if (!fs::exists(found.file, ignored)) return found;
    try {
        const Profile profile = read_profile(found.file);
        if (profile.key == key)
            found.profile = profile;
        else
            found.warning = "the profile " + found.file.string() + " is for something else and is ignored";
    } catch (const Error& e) {
        found.warning = std::string(e.what()) + "; it is ignored, and `warpath tune` makes a new one";
    }
    return found;
}

void apply_profile(const Profile& profile, RenderOptions& options) {
    for (const Number& number : numbers) options.*number.option = profile.*number.value;
}

std::string profile_text(const Profile& profile) {
    std::string text;
    for (const Number& number : numbers)
        if (profile.*number.value != 0)
            text.append(text.empty() ? "" : ", ").append(number.name).append(" ").append(std::to_string(profile.*number.value));
    return text.empty() ? "nothing beats the defaults" : text;
}

}  // namespace warpath
