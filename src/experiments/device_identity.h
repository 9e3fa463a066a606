#pragma once

#include <cstdint>
#include <string>

namespace warpath::experiments {

/// PCI bus id of a CUDA device, by which NVML finds the same one whatever the environment hides; empty where it is not known.
std::string pci_bus_id(uint32_t device);

/// "NVIDIA H200, 132 SMs, ...", or the processor's name.
std::string device_text(const std::string& backend, uint32_t device);

}  // namespace warpath::experiments
