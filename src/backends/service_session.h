#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

#include "schedulers/parts/service_ring.h"

namespace warpath {

/// The host's end of a service while its kernel runs: posts tasks, and lets the kernel know that the host lives.
class ServiceSession {
  public:
    explicit ServiceSession(ServiceMail* mail) : client_(mail) {}
    ServiceClient& client() { return client_; }

    void open() {
        beats_ = std::jthread([this](const std::stop_token& stop) {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any wake;
            while (!wake.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; }) && !stop.stop_requested()) client_.beat();
        });
    }
    /// No beats from here on.
    void close() { beats_ = {}; }
    bool is_open() const { return beats_.joinable(); }

  private:
    ServiceClient client_;
    std::jthread beats_;
};

}  // namespace warpath
