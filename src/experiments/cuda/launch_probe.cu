#include "experiments/launch_probe.h"

#include <algorithm>
#include <map>

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

template <uint32_t size>
struct Parameters {
    unsigned char bytes[size];
};

__global__ void empty_kernel() {}
template <uint32_t size>
__global__ void parameter_kernel(const __grid_constant__ Parameters<size>) {}
__global__ void hold_kernel(long long cycles) { hold(cycles); }
/// A kernel that no other call launches.
template <int number>
__global__ void fresh_kernel(int* out) {
    if (out) *out = number;
}

void launched() { cuda_check(cudaGetLastError(), "launching a kernel"); }

class Graph {
  public:
    /// Records what `enqueue` launches into `stream`.
    template <class Enqueue>
    Graph(cudaStream_t stream, const Enqueue& enqueue) {
        cuda_check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "recording a graph");
        enqueue();
        cudaGraph_t graph = nullptr;
        cuda_check(cudaStreamEndCapture(stream, &graph), "recording a graph");
        const cudaError_t result = cudaGraphInstantiate(&graph_, graph, 0);
        cudaGraphDestroy(graph);
        cuda_check(result, "instantiating a graph");
        cuda_check(cudaGraphUpload(graph_, stream), "uploading a graph");
        cuda_check(cudaStreamSynchronize(stream), "uploading a graph");
    }
    ~Graph() { cudaGraphExecDestroy(graph_); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    void launch(cudaStream_t stream) const { cuda_check(cudaGraphLaunch(graph_, stream), "launching a graph"); }

  private:
    cudaGraphExec_t graph_ = nullptr;
};

class CudaLaunchProbe final : public LaunchProbe {
  public:
    explicit CudaLaunchProbe(int device) : device_((use_device(device), device)), blocking_(cudaEventBlockingSync | cudaEventDisableTiming) {
        cycles_per_us_ = cycles_per_us();
    }

    double call_us(uint32_t parameter_bytes, uint32_t num_calls) override {
        stream_.synchronize();
        const HostTimer timer;
        for (uint32_t i = 0; i < num_calls; ++i) launch_with(parameter_bytes);
        const double us = timer.us() / num_calls;
        launched();
        stream_.synchronize();
        return us;
    }
    double round_trip_us(uint32_t num_blocks, uint32_t block_threads, HostWait wait) override {
        const HostTimer timer;
        empty_kernel<<<num_blocks, block_threads, 0, stream_>>>();
        wait_for_kernel(wait);
        const double us = timer.us();
        launched();
        return us;
    }
    double stream_us() override {
        const HostTimer timer;
        { const Stream stream; }
        return timer.us();
    }
    double streams_us(uint32_t num_streams, uint32_t num_launches, double kernel_us) override {
        while (streams_.size() < num_streams) streams_.emplace_back();
        const HostTimer timer;
        for (uint32_t i = 0; i < num_launches; ++i) hold_kernel<<<1, 32, 0, streams_[i % num_streams]>>>(cycles(kernel_us));
        for (uint32_t i = 0; i < num_streams; ++i) streams_[i].synchronize();
        const double us = timer.us();
        launched();
        return us;
    }
    double chain_us(uint32_t num_kernels, bool one_by_one) override {
        const auto enqueue = [&] {
            for (uint32_t i = 0; i < num_kernels; ++i) empty_kernel<<<1, 32, 0, stream_>>>();
            launched();
        };
        const Graph& graph = graph_of({num_kernels, -1}, enqueue);
        stream_.synchronize();
        const HostTimer timer;
        if (one_by_one)
            enqueue();
        else
            graph.launch(stream_);
        stream_.synchronize();
        return timer.us();
    }
    double iteration_us(LaunchStyle style, double kernel_us, uint32_t num_iterations) override {
        const auto enqueue = [&](uint32_t n) {
            for (uint32_t i = 0; i < n; ++i) hold_kernel<<<1, 32, 0, stream_>>>(cycles(kernel_us));
            launched();
        };
        const uint32_t in_graph = style == LaunchStyle::Graph ? num_iterations : 1;
        const Graph& graph = graph_of({in_graph, kernel_us}, [&] { enqueue(in_graph); });
        stream_.synchronize();
        const HostTimer timer;
        switch (style) {
            case LaunchStyle::WaitForEach:
                for (uint32_t i = 0; i < num_iterations; ++i) enqueue(1), stream_.synchronize();
                break;
            case LaunchStyle::GraphForEach:
                for (uint32_t i = 0; i < num_iterations; ++i) graph.launch(stream_), stream_.synchronize();
                break;
            case LaunchStyle::Ahead: enqueue(num_iterations); break;
            case LaunchStyle::Graph: graph.launch(stream_); break;
            case LaunchStyle::Fused: hold_kernel<<<1, 32, 0, stream_>>>(num_iterations * cycles(kernel_us)); break;
        }
        stream_.synchronize();
        const double us = timer.us() / num_iterations;
        launched();
        return us;
    }
    std::vector<double> first_launches_us(std::vector<double>& second_us) override {
        std::vector<double> first_us;
        second_us.clear();
        time_fresh(first_us, second_us, std::make_integer_sequence<int, 12>());
        return first_us;
    }

  private:
    long long cycles(double us) const { return static_cast<long long>(us * cycles_per_us_); }
    template <class Enqueue>
    const Graph& graph_of(const std::pair<uint32_t, double>& key, const Enqueue& enqueue) {
        std::unique_ptr<Graph>& graph = graphs_[key];
        if (!graph) graph = std::make_unique<Graph>(stream_, enqueue);
        return *graph;
    }
    template <uint32_t size>
    void launch_bytes() {
        static const Parameters<size> parameters{};
        parameter_kernel<size><<<1, 32, 0, stream_>>>(parameters);
    }
    void launch_with(uint32_t parameter_bytes) {
        switch (parameter_bytes) {
            case 0: empty_kernel<<<1, 32, 0, stream_>>>(); break;
            case 64: launch_bytes<64>(); break;
            case 256: launch_bytes<256>(); break;
            case 1024: launch_bytes<1024>(); break;
            default: launch_bytes<4096>(); break;
        }
    }
    void wait_for_kernel(HostWait wait) {
        switch (wait) {
            case HostWait::Stream: stream_.synchronize(); break;
            case HostWait::Event: event_.record(stream_), event_.synchronize(); break;
            case HostWait::BlockingEvent: blocking_.record(stream_), blocking_.synchronize(); break;
            case HostWait::Device: cuda_check(cudaDeviceSynchronize(), "waiting for the device"); break;
            case HostWait::Query: query_until_done(); break;
        }
    }
    void query_until_done() {
        cudaError_t state = cudaErrorNotReady;
        while ((state = cudaStreamQuery(stream_)) == cudaErrorNotReady) {}
        cuda_check(state, "running a kernel");
    }
    template <int number>
    double time_one() {
        const HostTimer timer;
        fresh_kernel<number><<<1, 32, 0, stream_>>>(nullptr);
        stream_.synchronize();
        launched();
        return timer.us();
    }
    template <int... numbers>
    void time_fresh(std::vector<double>& first, std::vector<double>& second, std::integer_sequence<int, numbers...>) {
        ((first.push_back(time_one<numbers>()), second.push_back(time_one<numbers>())), ...);
    }

    int device_;
    double cycles_per_us_ = 0;
    Stream stream_;
    Event event_{cudaEventDisableTiming}, blocking_;
    std::vector<Stream> streams_;
    std::map<std::pair<uint32_t, double>, std::unique_ptr<Graph>> graphs_;
};

}  // namespace

std::unique_ptr<LaunchProbe> make_launch_probe(int device) { return std::make_unique<CudaLaunchProbe>(device); }

}  // namespace warpath::experiments
