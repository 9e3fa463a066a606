#pragma once

#include <filesystem>
#include <optional>

#include "cli/scene_flags.h"
#include "warpath/image.h"
#include "warpath/renderer.h"

namespace warpath::cli {

/// What a render is asked to do. Everything that can be wrong without the scene has been checked.
struct RenderRequest {
    std::filesystem::path scene, output;
    std::optional<std::filesystem::path> statistics;  ///< --json
    std::optional<std::filesystem::path> trace;       ///< --trace
    bool print_statistics = false;                    ///< --stats
    LoadOptions load;
    RenderOptions render;  ///< flags and defaults; the scene's own settings are not in yet
    WriteOptions write;
    std::filesystem::path profile;                    ///< whose numbers are in `render`; empty: none
    bool quiet = false;
};

/// The flags of `warpath render`.
class RenderFlags {
  public:
    void add_to(CLI::App& flags);
    /// Errors:  BadOption, Unavailable (a backend that is not here), Io (output folders, before anything is rendered).
    RenderRequest request() const;
    /// The scene file's own settings, where no flag overrides them.
    /// Errors:  BadOption if the film is too large.
    void apply_scene_settings(const SceneInfo& scene, RenderRequest& request) const;
    /// Takes batch, pool, blocks and refill threshold from what `warpath tune` kept for the device and such scenes, if none of these flags is given.
    /// The log says so, and warns of a profile that is ignored. After apply_scene_settings.
    /// Errors:  BadInput, Io for a profile that --profile names.
    void apply_profile(const LoadedScene& scene, RenderRequest& request) const;

  private:
    void read_sampling(RenderRequest& request) const;
    void read_devices(RenderOptions& options) const;
    void read_schedule(RenderRequest& request) const;
    void read_output(RenderRequest& request) const;
    void read_statistics(RenderRequest& request) const;
    void read_choice(const TextFlag& flag, const std::vector<std::string>& known, std::string& value) const;
    void read_integer(const TextFlag& flag, uint64_t lo, uint64_t hi, uint32_t& value) const;

    SceneFlags scene_;
    TextFlag output_{"-o,--output"}, size_{"--size"}, spp_{"--spp"}, max_depth_{"--max-depth"}, seed_{"--seed"};
    TextFlag sampler_{"--sampler"}, filter_{"--filter"}, aov_{"--aov"}, exposure_{"--exposure"}, tone_{"--tone"};
    TextFlag scheduler_{"--scheduler"}, backend_{"--backend"}, device_{"--device"}, devices_{"--devices"};
    TextFlag batch_{"--batch"}, pool_{"--pool"}, blocks_per_sm_{"--blocks-per-sm"}, block_size_{"--block-size"}, reserve_sms_{"--reserve-sms"};
    TextFlag refill_below_{"--refill-below"}, profile_{"--profile"}, watchdog_{"--watchdog"}, json_{"--json"};
    TextFlag trace_{"--trace"}, trace_events_{"--trace-events"};
    bool half_ = false, quiet_ = false, stats_ = false;
};

}  // namespace warpath::cli
