#pragma once

#include "backends/cuda/cuda_backend.cuh"
#include "backends/cuda/graph_loop.h"

/// CUDA graphs: recorded by capturing the stream, so that schedulers launch as they always do.
namespace warpath {

template <class Enqueue>
void CudaBackend::record_graph(const Enqueue& enqueue) {
    if (frame_->is_recorded_) return;
    const uint64_t launches_before = num_launches_;
    cuda_check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "recording a graph");
    enqueue();
    cudaGraph_t graph = nullptr;
    cuda_check(cudaStreamEndCapture(stream_, &graph), "recording a graph");
    num_launches_ = launches_before;
    use_graph(graph);
}

namespace detail {

/// Captures what `enqueue` launches into a graph that exists.
template <class Enqueue>
void capture_into(cudaStream_t stream, cudaGraph_t graph, const Enqueue& enqueue) {
    cuda_check(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal), "recording a graph");
    enqueue();
    cudaGraph_t same = nullptr;
    cuda_check(cudaStreamEndCapture(stream, &same), "recording a graph");
}

}  // namespace detail

template <class Before, class Body>
void CudaBackend::record_while_graph(const Before& before, const Body& body, const uint64_t* done) {
    if (frame_->is_recorded_) return;
    const uint64_t launches_before = num_launches_;
    const LaunchAttribute dependent_launch = dependent_launch_;
    dependent_launch_.value = 0;  // the body's first node follows its last one, which no programmatic edge describes
    cudaGraph_t graph = nullptr;
    cuda_check(cudaGraphCreate(&graph, 0), "recording a graph");
    detail::capture_into(stream_, graph, before);
    size_t num_nodes = 0;
    cuda_check(cudaGraphGetNodes(graph, nullptr, &num_nodes), "recording a graph");
    std::vector<cudaGraphNode_t> nodes(num_nodes);
    if (num_nodes > 0) cuda_check(cudaGraphGetNodes(graph, nodes.data(), &num_nodes), "recording a graph");

    cudaGraphConditionalHandle condition{};
    cuda_check(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault), "recording a graph");
    cudaGraphNodeParams parameters{};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.handle = condition;
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 1;
    cudaGraphNode_t loop = nullptr;
    cuda_check(cudaGraphAddNode(&loop, graph, nodes.empty() ? nullptr : &nodes.back(), nullptr, nodes.empty() ? 0 : 1, &parameters),
               "adding a conditional node");
    detail::capture_into(stream_, parameters.conditional.phGraph_out[0], [&] {
        body();
        launch_loop_test(stream_, condition, done);
    });
    dependent_launch_ = dependent_launch;
    num_launches_ = launches_before;
    use_graph(graph);
}

}  // namespace warpath
