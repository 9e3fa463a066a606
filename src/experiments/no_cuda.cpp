#include "experiments/contention_probe.h"
#include "experiments/dispatch_probe.h"
#include "experiments/fusion_probe.h"
#include "experiments/launch_probe.h"
#include "experiments/roofline_probe.h"
#include "experiments/starvation_probe.h"
#include "experiments/synthetic_device.h"
#include "experiments/transfer_probe.h"
#include "experiments/traversal_probe.h"
#include "experiments/waiting_probe.h"
#include "warpath/error.h"

/// Where CUDA is not built in: whoever asks for a CUDA part of an experiment is told so.
namespace warpath::experiments {

namespace {

[[noreturn]] void refuse() { throw Error(ErrorCode::Unavailable, "CUDA is not built in"); }

}  // namespace

std::unique_ptr<SyntheticDevice> make_cuda_synthetic_device(int) { refuse(); }
std::unique_ptr<LaunchProbe> make_launch_probe(int) { refuse(); }
std::unique_ptr<DispatchProbe> make_dispatch_probe(int) { refuse(); }
std::unique_ptr<ContentionProbe> make_contention_probe(int) { refuse(); }
std::unique_ptr<StarvationProbe> make_starvation_probe(int) { refuse(); }
std::unique_ptr<RooflineProbe> make_roofline_probe(int) { refuse(); }
std::unique_ptr<FusionProbe> make_fusion_probe(int, const LoadedScene&) { refuse(); }
std::unique_ptr<WaitingProbe> make_waiting_probe(int) { refuse(); }
std::unique_ptr<TransferProbe> make_transfer_probe(int) { refuse(); }
std::unique_ptr<TraversalProbe> make_traversal_probe(int) { refuse(); }

}  // namespace warpath::experiments
