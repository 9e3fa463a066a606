#include "backends/cuda/graph_loop.h"

#include "backends/cuda/cuda_check.h"

namespace warpath {
namespace {

__global__ void test_loop(cudaGraphConditionalHandle condition, const uint64_t* done) { cudaGraphSetConditional(condition, *done == 0 ? 1u : 0u); }

}  // namespace

void launch_loop_test(cudaStream_t stream, cudaGraphConditionalHandle condition, const uint64_t* done) {
    test_loop<<<1, 1, 0, stream>>>(condition, done);
    cuda_check(cudaGetLastError(), "launching the test of a loop");
}

}  // namespace warpath
