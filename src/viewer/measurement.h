#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "viewer/app.h"

namespace warpath::viewer {

/// Times what the window costs, scheduler by scheduler: passes with and without display, in turn, and the time from a key to the first picture on the
/// screen that shows its effect. Played frame by frame, as scripts are.
class Measurement {
  public:
    /// `schedulers` empty: all of the backend's.
    Measurement(App& app, std::vector<std::string> schedulers, size_t num_passes, size_t num_inputs);

    /// Before each frame of the window. True once it is over.
    bool advance();
    nlohmann::ordered_json result() const;  ///< of the schedulers that are done
    size_t num_done() const { return rows_.size(); }

  private:
    enum class Phase { Start, WarmUp, Bare, Shown, CameraKeys, FlipKeys, Next };
    void begin_block(bool is_bare);
    bool collect_block();
    bool press_keys(const char* first, const char* second, std::vector<double>& latencies);
    void press(const std::string& key);
    void finish_scheduler();

    App& app_;
    std::vector<std::string> schedulers_;
    size_t num_passes_, num_inputs_, index_ = 0;
    Phase phase_ = Phase::Start;
    uint64_t passes_before_ = 0;
    std::vector<double> bare_ms_, shown_ms_, camera_ms_, flip_ms_;
    size_t num_keys_ = 0, frames_to_wait_ = 0;
    nlohmann::ordered_json rows_ = nlohmann::ordered_json::array();
};

}  // namespace warpath::viewer
