#pragma once

#include <chrono>

#include "backends/render_backend.h"
#include "schedulers/parts/service_ring.h"

namespace warpath {

/// Measures a service that runs on a backend, from the host.
template <class Backend>
class ServiceProbe {
  public:
    explicit ServiceProbe(Backend& backend) : backend_(backend) {}

    /// Milliseconds of num_passes passes of `share` paths, posted as far ahead as the ring has room.
    double run_passes(BackendFrame& frame, uint32_t num_passes, uint64_t share) {
        frame.run({0, 0}, {});  // starts the service
        const auto start = now();
        ServiceClient& client = backend_.service();
        uint64_t last = 0;
        for (uint64_t pass = 0; pass < num_passes; ++pass) {
            wait_for_room(client);
            last = client.post(ServiceTask::Render, pass * share, share);
        }
        backend_.wait_for_service(last);
        return us_since(start) * 1e-3;
    }
    ServiceTimes time_tasks(uint32_t num_tasks) {
        ServiceClient& client = backend_.service();
        ServiceTimes times;
        for (uint32_t i = 0; i < num_tasks; ++i) times.fence_us.push_back(time_one(client, ServiceTask::Fence, nullptr));
        for (uint32_t i = 0; i < num_tasks; ++i) {
            double started = 0;
            times.empty_us.push_back(time_one(client, ServiceTask::Render, &started));
            times.started_us.push_back(started);
        }
        times.num_ahead = 100ull * num_tasks;
        const uint64_t done_before = client.completed();
        const auto start = now();
        uint64_t last = 0;
        for (uint64_t i = 0; i < times.num_ahead; ++i) {
            wait_for_room(client);
            last = client.post(ServiceTask::Fence);
        }
        backend_.wait_for_service(last);
        times.ahead_ms = us_since(start) * 1e-3;
        times.num_lost = times.num_ahead - (client.completed() - done_before);
        times.handover_ns = backend_.mean_handover_ns();
        return times;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static Clock::time_point now() { return Clock::now(); }
    static double us_since(Clock::time_point start) { return std::chrono::duration<double, std::micro>(Clock::now() - start).count(); }

    /// A ring that stays full waits as any task does, with the watchdog's limit.
    void wait_for_room(ServiceClient& client) {
        if (!client.has_room()) backend_.wait_for_service(client.posted() - service_ring_size + 1);
    }
    double time_one(ServiceClient& client, ServiceTask kind, double* started) {
        const auto start = now();
        const uint64_t sequence = client.post(kind, 0, 0);
        if (started) {
            while (client.started() < sequence && !client.ended()) {}
            *started = us_since(start);
        }
        backend_.wait_for_service(sequence);
        return us_since(start);
    }

    Backend& backend_;
};

}  // namespace warpath
