#include "experiments/dispatch_probe.h"

#include <cuda/atomic>

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

constexpr unsigned long long leave = ~0ull, silence_ns = 1'000'000'000;
constexpr unsigned rounds_between_clocks = 256;

struct Mail {
    unsigned long long request, answer;   ///< numbers count from 1
};
/// What one poller looks at, in a line of its own.
struct alignas(128) Line {
    unsigned long long request;
};

template <cuda::thread_scope scope>
__device__ unsigned long long load(unsigned long long* p) {
    return cuda::atomic_ref<unsigned long long, scope>(*p).load(cuda::memory_order_acquire);
}
template <cuda::thread_scope scope>
__device__ void store(unsigned long long* p, unsigned long long value) {
    cuda::atomic_ref<unsigned long long, scope>(*p).store(value, cuda::memory_order_release);
}

/// Between two looks: shortest_ns at first, then half as long again each time, up to longest_ns; equal for a constant pause, 0 for none.
struct Pause {
    unsigned shortest_ns, longest_ns;
    explicit Pause(const DispatchProbe::Pollers& pollers)
        : shortest_ns(pollers.backs_off && pollers.pause_ns > DispatchProbe::shortest_pause_ns ? DispatchProbe::shortest_pause_ns : pollers.pause_ns), longest_ns(pollers.pause_ns) {}
};

/// Answers requests until it is told to leave, or nobody has asked for a second. Of several warps, the first to see a request answers it.
template <cuda::thread_scope scope>
__device__ void answer(unsigned long long* request_word, unsigned long long* answer_word, unsigned long long* claimed, Pause pause) {
    unsigned long long next = 1, since = device_ns();
    unsigned pause_ns = pause.shortest_ns;
    for (unsigned round = 0;; ++round) {
        const unsigned long long request = load<scope>(request_word);
        if (request == leave) return;
        if (request >= next) {
            if (atomicCAS(claimed, request - 1, request) == request - 1) store<scope>(answer_word, request);
            next = request + 1, since = device_ns(), pause_ns = pause.shortest_ns;
            continue;
        }
        if (round % rounds_between_clocks == 0 && device_ns() - since > silence_ns) return;
        if (pause_ns == 0) continue;
        __nanosleep(pause_ns);
        pause_ns = min(pause_ns + pause_ns / 2, pause.longest_ns);
    }
}

/// 32 registers a thread at most, so that a block of 32 threads fits beside those of a renderer.
__global__ void __launch_bounds__(64, 32) answer_host(Line* lines, bool own_lines, unsigned long long* answer_word, unsigned long long* claimed, Pause pause) {
    if (threadIdx.x == 0) answer<cuda::thread_scope_system>(&lines[own_lines ? blockIdx.x : 0].request, answer_word, claimed, pause);
}

/// Block 0 asks and times, all others answer. num_done: how many requests were answered in time.
__global__ void __launch_bounds__(64, 32) ask_device(Mail* mail, unsigned long long* claimed, Pause pause, unsigned rest_ns, unsigned num_times,
                                                      unsigned long long limit_ns, unsigned* cycles, unsigned* num_done) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x > 0) {
        answer<cuda::thread_scope_device>(&mail->request, &mail->answer, claimed, pause);
        return;
    }
    const unsigned long long began = device_ns();
    for (unsigned i = 0; i < num_times && device_ns() - began < limit_ns; ++i) {
        for (const unsigned long long rests_since = device_ns(); device_ns() - rests_since < rest_ns;) {}
        const unsigned long long since = device_ns();
        const long long start = clock64();
        store<cuda::thread_scope_device>(&mail->request, i + 1);
        for (unsigned round = 1; load<cuda::thread_scope_device>(&mail->answer) != i + 1; ++round)
            if (round % rounds_between_clocks == 0 && device_ns() - since > silence_ns) {
                store<cuda::thread_scope_device>(&mail->request, leave);
                return;
            }
        cycles[i] = static_cast<unsigned>(clock64() - start);
        *num_done = i + 1;
    }
    store<cuda::thread_scope_device>(&mail->request, leave);
}

__global__ void empty_kernel() {}

class CudaDispatchProbe final : public DispatchProbe {
  public:
    explicit CudaDispatchProbe(int device) : device_((use_device(device), device)), lines_(most_lines), answer_(1), claimed_(1), device_mail_(1), num_done_(1), cycles_(most_times) {
        cycles_per_us_ = cycles_per_us();
        cuda_check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "recording a graph");
        empty_kernel<<<1, 32, 0, stream_>>>();
        cudaGraph_t graph = nullptr;
        cuda_check(cudaStreamEndCapture(stream_, &graph), "recording a graph");
        const cudaError_t result = cudaGraphInstantiate(&graph_, graph, 0);
        cudaGraphDestroy(graph);
        cuda_check(result, "instantiating a graph");
        host_queue_us({1, 0}, 1, 1);  // loads the kernels: nothing may be loaded beside them
        device_queue_ns({1, 0}, 1, 1);
        launches_us(false, 1, 1);
        launches_us(true, 1, 1);
    }
    ~CudaDispatchProbe() override { cudaGraphExecDestroy(graph_); }

    std::vector<double> launches_us(bool graph, uint32_t num_times, double limit_s) override {
        std::vector<double> times;
        const HostTimer total;
        while (times.size() < num_times && (times.empty() || total.us() < 1e6 * limit_s)) {
            const HostTimer timer;
            if (graph)
                cuda_check(cudaGraphLaunch(graph_, stream_), "launching a graph");
            else
                empty_kernel<<<1, 32, 0, stream_>>>();
            stream_.synchronize();
            times.push_back(timer.us());
        }
        return times;
    }
    std::vector<double> host_queue_us(const Pollers& pollers, uint32_t num_times, double limit_s) override {
        const uint32_t num_lines = pollers.own_lines ? std::min(pollers.num, most_lines) : 1, num_pollers = pollers.own_lines ? num_lines : pollers.num;
        const auto ask = [&](unsigned long long request) {
            for (uint32_t i = 0; i < num_lines; ++i) __atomic_store_n(&lines_.host()[i].request, request, __ATOMIC_RELEASE);
        };
        ask(0), *answer_.host() = 0;
        clear(claimed_.data(), sizeof(unsigned long long));
        answer_host<<<num_pollers, 32, 0, stream_>>>(lines_.device(), pollers.own_lines, answer_.device(), claimed_.data(), Pause(pollers));
        cuda_check(cudaGetLastError(), "launching a kernel");
        std::vector<double> times;
        const HostTimer total;
        while (times.size() < num_times && (times.empty() || total.us() < 1e6 * limit_s)) {
            const unsigned long long number = times.size() + 1;
            for (const HostTimer rest; rest.us() < pollers.rest_us;) {}
            const HostTimer timer;
            ask(number);
            if (!wait_for_answer(number, timer)) break;
            times.push_back(timer.us());
        }
        ask(leave);
        stream_.synchronize();
        return times;
    }
    std::vector<double> device_queue_ns(const Pollers& pollers, uint32_t num_times, double limit_s) override {
        num_times = std::min(num_times, most_times);
        clear(claimed_.data(), sizeof(unsigned long long));
        clear(device_mail_.data(), sizeof(Mail));
        clear(num_done_.data(), sizeof(unsigned));
        ask_device<<<1 + pollers.num, 32, 0, stream_>>>(device_mail_.data(), claimed_.data(), Pause(pollers), 1000 * pollers.rest_us, num_times,
                                                   static_cast<unsigned long long>(1e9 * limit_s), cycles_.data(), num_done_.data());
        cuda_check(cudaGetLastError(), "launching a kernel");
        stream_.synchronize();
        std::vector<double> times;
        for (const unsigned cycles : cycles_.download(num_done_.download().front())) times.push_back(0.5e3 * cycles / cycles_per_us_);
        return times;
    }

  private:
    static constexpr uint32_t most_times = 1u << 20, most_lines = 32;
    static constexpr double answer_limit_us = 2e6;

    void clear(void* pointer, size_t bytes) { cuda_check(cudaMemsetAsync(pointer, 0, bytes, stream_), "clearing device memory"); }
    bool wait_for_answer(unsigned long long number, const HostTimer& timer) {
        for (uint32_t round = 1; __atomic_load_n(answer_.host(), __ATOMIC_ACQUIRE) != number; ++round)
            if (round % 4096 == 0 && timer.us() > answer_limit_us) return false;
        return true;
    }

    int device_;
    Stream stream_;
    MappedArray<Line> lines_;
    MappedArray<unsigned long long> answer_;
    DeviceArray<unsigned long long> claimed_;
    DeviceArray<Mail> device_mail_;
    DeviceArray<unsigned> num_done_, cycles_;
    cudaGraphExec_t graph_ = nullptr;
    double cycles_per_us_ = 0;
};

}  // namespace

std::unique_ptr<DispatchProbe> make_dispatch_probe(int device) { return std::make_unique<CudaDispatchProbe>(device); }

}  // namespace warpath::experiments
