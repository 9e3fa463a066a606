#pragma once

#include <string>

#include "experiments/json.h"

namespace warpath::experiments {

/// UTC, to the second.
std::string date_text();
/// Driver, clocks in MHz, power in W and temperature of every NVIDIA device now, as nvidia-smi gives them; null where
/// there is none.
Json nvidia_smi();
/// Processor, cores, memory and kernel of this machine.
Json machine();
/// Short name of the commit of the checkout that this program was built in, "-dirty" where files differ from it; "unknown" without git.
std::string git_commit();

}  // namespace warpath::experiments
