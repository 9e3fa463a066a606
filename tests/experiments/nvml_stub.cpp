// Stands in for the NVIDIA management library: one device that says always the same, but for throttling, which the variable
// WARPATH_NVML_STUB_THROTTLED turns on for one look ("2": the second) or for all of them ("all").

#include <cstdlib>
#include <cstring>
#include <string>

namespace {

std::string throttled_look;
unsigned num_looks = 0;
unsigned long long millijoules = 1000;

}  // namespace

extern "C" {

int nvmlInit_v2() {
    const char* text = std::getenv("WARPATH_NVML_STUB_THROTTLED");
    throttled_look = text ? text : "";
    num_looks = 0;
    return 0;
}
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned, void** device) { return *device = &num_looks, 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) { return *device = &num_looks, std::strcmp(id, "00000000:3B:00.0") == 0 ? 0 : 6; }
int nvmlDeviceGetClockInfo(void*, unsigned type, unsigned* mhz) { return *mhz = type == 1 ? 1980 : 3201, 0; }
int nvmlDeviceGetMaxClockInfo(void*, unsigned, unsigned* mhz) { return *mhz = 1980, 0; }
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* celsius) { return *celsius = 41, 0; }
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return *milliwatts = 312500, 0; }
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) { return *milliwatts = 700000, 0; }
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* energy) { return *energy = millijoules += 1000, 0; }
int nvmlDeviceGetName(void*, char* name, unsigned size) { return std::strncpy(name, "stub", size), 0; }
int nvmlSystemGetDriverVersion(char* version, unsigned size) { return std::strncpy(version, "580.00", size), 0; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    const bool throttled = throttled_look == "all" || throttled_look == std::to_string(++num_looks);
    return *reasons = throttled ? 0x20 : 0, 0;
}
}
