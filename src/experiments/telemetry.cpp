#include "experiments/telemetry.h"

#include <dlfcn.h>

#include <array>
#include <cstdint>

namespace warpath::experiments {
namespace {

using Handle = void*;
constexpr int success = 0;
constexpr unsigned clock_sm = 1, clock_memory = 2, sensor_gpu = 0;

/// Reasons that stand for a limit; the others are idleness, clocks set by somebody and the display's.
constexpr uint64_t software_power_cap = 0x4, hardware_slowdown = 0x8, software_thermal = 0x20, hardware_thermal = 0x40, power_brake = 0x80;
constexpr uint64_t limits = software_power_cap | hardware_slowdown | software_thermal | hardware_thermal | power_brake;

}  // namespace

bool DeviceState::throttled() const { return (throttle_reasons & limits) != 0; }

Json DeviceState::json() const {
    return {{"sm_mhz", sm_mhz}, {"memory_mhz", memory_mhz}, {"temperature_c", temperature_c}, {"power_w", power_w}, {"throttle", throttle_reasons}};
}

struct Telemetry::Nvml {
    void* library = nullptr;
    Handle device = nullptr;
    bool started = false;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*handle_by_index)(unsigned, Handle*) = nullptr;
    int (*handle_by_pci)(const char*, Handle*) = nullptr;
    int (*clock)(Handle, unsigned, unsigned*) = nullptr;
    int (*max_clock)(Handle, unsigned, unsigned*) = nullptr;
    int (*temperature)(Handle, unsigned, unsigned*) = nullptr;
    int (*power)(Handle, unsigned*) = nullptr;
    int (*power_limit)(Handle, unsigned*) = nullptr;
    int (*energy)(Handle, unsigned long long*) = nullptr;
    int (*throttle)(Handle, unsigned long long*) = nullptr;
    int (*name)(Handle, char*, unsigned) = nullptr;
    int (*driver)(char*, unsigned) = nullptr;

    Nvml() = default;
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    ~Nvml() {
        if (started && shutdown) shutdown();
        if (library) dlclose(library);
    }
    template <class Function>
    bool find(Function*& function, const char* symbol) {
        function = reinterpret_cast<Function*>(dlsym(library, symbol));
        return function != nullptr;
    }
    /// What a device needs; the rest may be missing in old or foreign libraries.
    bool find_all() {
        find(shutdown, "nvmlShutdown"), find(max_clock, "nvmlDeviceGetMaxClockInfo"), find(power_limit, "nvmlDeviceGetEnforcedPowerLimit");
        find(energy, "nvmlDeviceGetTotalEnergyConsumption"), find(name, "nvmlDeviceGetName"), find(driver, "nvmlSystemGetDriverVersion");
        find(handle_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
        return find(init, "nvmlInit_v2") && find(handle_by_index, "nvmlDeviceGetHandleByIndex_v2") && find(clock, "nvmlDeviceGetClockInfo") &&
               find(temperature, "nvmlDeviceGetTemperature") && find(power, "nvmlDeviceGetPowerUsage") &&
               find(throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
    }
    bool find_device(const std::string& pci_bus_id) {
        if (pci_bus_id.empty()) return handle_by_index(0, &device) == success;
        return handle_by_pci && handle_by_pci(pci_bus_id.c_str(), &device) == success;
    }
    uint32_t asked(int (*function)(Handle, unsigned, unsigned*), unsigned what) const {
        unsigned value = 0;
        return function && function(device, what, &value) == success ? value : 0;
    }
};

Telemetry::Telemetry(std::string reason) : reason_(std::move(reason)) {}
Telemetry::~Telemetry() = default;
Telemetry::Telemetry(Telemetry&&) noexcept = default;
Telemetry& Telemetry::operator=(Telemetry&&) noexcept = default;

Telemetry Telemetry::open(const std::string& pci_bus_id, const std::string& library) {
    auto nvml = std::make_unique<Nvml>();
    nvml->library = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!nvml->library) return Telemetry("NVML is not here (" + library + ")");
    if (!nvml->find_all()) return Telemetry(library + " lacks functions of NVML");
    if (nvml->init() != success) return Telemetry("NVML does not start: no NVIDIA driver answers it");
    nvml->started = true;
    if (!nvml->find_device(pci_bus_id)) return Telemetry("NVML does not know the device " + pci_bus_id);
    Telemetry telemetry("");
    telemetry.nvml_ = std::move(nvml);
    return telemetry;
}

std::optional<DeviceState> Telemetry::state() const {
    if (!nvml_) return std::nullopt;
    DeviceState state;
    state.sm_mhz = nvml_->asked(nvml_->clock, clock_sm), state.memory_mhz = nvml_->asked(nvml_->clock, clock_memory);
    state.temperature_c = nvml_->asked(nvml_->temperature, sensor_gpu);
    unsigned milliwatts = 0;
    if (nvml_->power(nvml_->device, &milliwatts) == success) state.power_w = 1e-3 * milliwatts;
    unsigned long long reasons = 0;
    if (nvml_->throttle(nvml_->device, &reasons) == success) state.throttle_reasons = reasons;
    return state;
}

std::optional<double> Telemetry::energy_j() const {
    unsigned long long millijoules = 0;
    if (!nvml_ || !nvml_->energy || nvml_->energy(nvml_->device, &millijoules) != success) return std::nullopt;
    return 1e-3 * static_cast<double>(millijoules);
}

Json Telemetry::description() const {
    if (!nvml_) return nullptr;
    std::array<char, 128> name{}, driver{};
    if (nvml_->name) nvml_->name(nvml_->device, name.data(), name.size() - 1);
    if (nvml_->driver) nvml_->driver(driver.data(), driver.size() - 1);
    unsigned milliwatts = 0;
    if (nvml_->power_limit) nvml_->power_limit(nvml_->device, &milliwatts);
    return {{"name", name.data()},
            {"driver", driver.data()},
            {"max_sm_mhz", nvml_->asked(nvml_->max_clock, clock_sm)},
            {"max_memory_mhz", nvml_->asked(nvml_->max_clock, clock_memory)},
            {"power_limit_w", 1e-3 * milliwatts}};
}

}  // namespace warpath::experiments
