#include "experiments/synthetic_device.h"
#include "warpath/error.h"

/// What stands in for the CUDA parts of experiments where CUDA is not built in.
namespace warpath::experiments {

std::unique_ptr<SyntheticDevice> make_cuda_synthetic_device(int, uint32_t) {
    throw Error(ErrorCode::Unavailable, "CUDA is not built in");
}

}  // namespace warpath::experiments
