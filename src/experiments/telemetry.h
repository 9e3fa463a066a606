#pragma once

#include <memory>
#include <optional>
#include <string>

#include "experiments/json.h"

namespace warpath::experiments {

/// What the device said of itself at one moment.
struct DeviceState {
    uint32_t sm_mhz = 0, memory_mhz = 0, temperature_c = 0;
    double power_w = 0;
    uint64_t throttle_reasons = 0;  ///< NVML's bits, all of them
    /// Whether a limit of power or heat, or the hardware, held the clocks down.
    bool throttled() const;
    Json json() const;
};

/// Clocks, temperature, power, energy and throttle reasons of one NVIDIA device, from the driver's management library, which is looked for at
/// run time. Without it, or for the CPU, there are no answers.
/// Threads: one at a time.
/// Source:  NVIDIA, "NVML API Reference": names and numbers of the functions used, which are declared here since the library's header is
///          in no package.
class Telemetry {
  public:
    /// No answers; `reason` says why.
    explicit Telemetry(std::string reason);
    /// The device with this PCI bus id ("00000000:3B:00.0"), or, where that is empty, the first one. `library` is what dlopen gets; tests give a stub.
    static Telemetry open(const std::string& pci_bus_id, const std::string& library = "libnvidia-ml.so.1");
    ~Telemetry();
    Telemetry(Telemetry&&) noexcept;
    Telemetry& operator=(Telemetry&&) noexcept;

    bool available() const { return nvml_ != nullptr; }
    const std::string& why_not() const { return reason_; }
    /// Takes some ten microseconds to a millisecond; never call it inside of a timed run.
    std::optional<DeviceState> state() const;
    /// Joules since the driver was loaded, in steps of up to a tenth of a second.
    std::optional<double> energy_j() const;
    /// Name, driver, limits; null without NVML.
    Json description() const;

  private:
    struct Nvml;
    std::unique_ptr<Nvml> nvml_;
    std::string reason_;
};

}  // namespace warpath::experiments
