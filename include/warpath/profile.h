#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "warpath/renderer.h"

/// What `warpath tune` found out for a device, a scheduler and a class of scenes, kept for later renders. None of it changes an image.
namespace warpath {

/// What a profile is good for.
struct ProfileKey {
    std::string device;       ///< its name; for the CPU with the number of threads
    std::string backend;      ///< "cpu" or "cuda"
    std::string scheduler;    ///< never "auto": the one that it picks
    std::string scene_class;  ///< "small", "medium" or "large" by triangles; on CUDA also "few", "many" or "very-many" paths in the frame
    bool operator==(const ProfileKey&) const = default;
};

/// Numbers as in RenderOptions; 0: the choice is left to the scheduler, which was no slower.
struct Profile {
    ProfileKey key;
    uint32_t batch = 0, pool = 0, blocks_per_sm = 0, block_size = 0, refill_below = 0;
    double default_ms = 0, tuned_ms = 0;  ///< medians of the frame it was tuned on
    std::string scene, date;              ///< what it was tuned on, and when
};

/// The key of a render: backend, device and scheduler are chosen as `render` does.
ProfileKey profile_key(const LoadedScene& scene, const RenderOptions& options);

/// $XDG_DATA_HOME/warpath/profiles, or .local/share/warpath/profiles in the home folder; empty where there is neither.
std::filesystem::path profile_folder();

/// The file of a key in a folder.
std::filesystem::path profile_file(const ProfileKey& key, const std::filesystem::path& folder);

/// Writes a profile, whole or not at all, and makes the folder. Gives the file.
/// Errors:  Io.
std::filesystem::path save_profile(const Profile& profile, const std::filesystem::path& folder);

/// Errors:  Io; BadInput for a file that is damaged, of another version of warpath, or no profile.
Profile read_profile(const std::filesystem::path& file);

/// What is kept for a key.
struct FoundProfile {
    std::optional<Profile> profile;
    std::filesystem::path file;
    std::string warning;  ///< there is a file, but it is damaged, of another version, or for something else: it is ignored
};
FoundProfile find_profile(const ProfileKey& key, const std::filesystem::path& folder);

/// Puts the profile's numbers into options.
void apply_profile(const Profile& profile, RenderOptions& options);
/// "batch 64, pool 4096", or "nothing beats the defaults".
std::string profile_text(const Profile& profile);

}  // namespace warpath
