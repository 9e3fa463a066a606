#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <utility>

#include "warpath/error.h"

namespace warpath {

/// What loading goes through.
enum class LoadStep { Reading, Textures, Flattening, Lights, Bvh, Done };

/// Somebody who waits for a scene: is told how far it is, and may end it. By default nobody.
/// Threads: the flag may be set by any thread; the rest is for the thread that loads.
class LoadWatch {
  public:
    /// step, share of it in 0..1, and what is at hand
    using Report = std::function<void(LoadStep, double, const std::string&)>;

    LoadWatch() = default;
    LoadWatch(Report report, const std::atomic<bool>* stop) : report_(std::move(report)), stop_(stop) {}

    /// Errors:  Stopped where the flag is set.
    void check() const { throw_if_set(stop_); }
    /// Tells how far loading is; checks first.
    void at(LoadStep step, double share = 0.0, const std::string& item = {}) const {
        check();
        if (report_) report_(step, share, item);
    }
    /// For the threads that build the BVH; may be null.
    const std::atomic<bool>* stop() const { return stop_; }
    static void throw_if_set(const std::atomic<bool>* stop) {
        if (stop && stop->load(std::memory_order_relaxed)) throw Error(ErrorCode::Stopped, "loading the scene was stopped");
    }

  private:
    Report report_;
    const std::atomic<bool>* stop_ = nullptr;
};

}  // namespace warpath
