#include "experiments/cuda/traversal_kernels.cuh"

/// Compiled with WARPATH_NO_ACCOUNTS (CMakeLists.txt), so that the loops hold nothing but tracing. Only device code depends on that, and it stays in this file.
namespace warpath::experiments {

static_assert(!keeps_accounts);

std::vector<TraceKernel> bare_kernels() {
    std::vector<TraceKernel> kernels = {
        plain_kernel<8, false>({.name = "plain, 32 warps", .is_baseline = true}, 0),
        plain_kernel<10, false>({.name = "plain, 40 warps", .is_baseline = true}, 0),
        warpath_kernel<7, false>({.name = "warpath, 28 warps"}, 0),
        warpath_kernel<8, false>({.name = "warpath, 32 warps"}, 0),
        warpath_kernel<10, false>({.name = "warpath, 40 warps"}, 0),
    };
    kernels.push_back(warpath_kernel<7, false>({.name = "warpath, refill below 24, 28 warps"}, 24));
    for (const uint32_t below : {8u, 16u, 24u}) {
        const std::string refill = ", refill below " + std::to_string(below) + ", 32 warps";
        kernels.push_back(plain_kernel<8, false>({.name = "plain" + refill}, below));
        kernels.push_back(warpath_kernel<8, false>({.name = "warpath" + refill}, below));
    }
    return kernels;
}

}  // namespace warpath::experiments
