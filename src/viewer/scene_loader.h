#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "warpath/scene.h"

namespace warpath::viewer {

/// Loads scenes on threads of their own. A load that begins while another one runs takes its place.
/// Threads: one calls; nothing here waits, but for the destructor, which waits until cancelled loads have given up.
class SceneLoader {
  public:
    struct Result {
        std::filesystem::path path;
        std::optional<LoadedScene> scene;  ///< unset where it failed
        std::string error;                 ///< one sentence
    };

    ~SceneLoader();
    void start(const std::filesystem::path& path, LoadOptions options);
    void cancel();
    bool is_loading() const { return current_ != nullptr; }
    const std::filesystem::path& path() const { return path_; }
    LoadProgress progress() const;
    /// The outcome of the last load, once. Cancelled loads have none.
    std::optional<Result> take();
    /// Threads that still run, those of cancelled loads included.
    size_t num_running();

  private:
    struct Load {
        std::atomic<bool> stop{false}, done{false};
        mutable std::mutex mutex;
        LoadProgress progress;
        Result result;
        std::thread thread;
    };
    void collect();

    std::filesystem::path path_;
    std::shared_ptr<Load> current_;
    std::vector<std::shared_ptr<Load>> loads_;  ///< all whose thread was not joined
};

}  // namespace warpath::viewer
