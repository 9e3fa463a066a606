#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace warpath::experiments {

/// UTC, to the second.
std::string date_text();
/// Driver, clocks in MHz, power in W and temperature of every NVIDIA device now, as nvidia-smi gives them; null where
/// there is none.
nlohmann::ordered_json nvidia_smi();

}  // namespace warpath::experiments
