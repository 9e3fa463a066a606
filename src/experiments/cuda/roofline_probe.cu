#include "experiments/roofline_probe.h"

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

constexpr size_t l2_bytes = size_t{1} << 24, dram_bytes = size_t{1} << 31;
constexpr unsigned block_threads = 256, blocks_per_sm = 8, num_chains = 8;

/// Chains that do not depend on each other, so that the pipeline is always full.
__global__ void __launch_bounds__(block_threads) fma_kernel(float* out, unsigned num_rounds) {
    float x[num_chains];
    for (unsigned i = 0; i < num_chains; ++i) x[i] = static_cast<float>(threadIdx.x + i);
#pragma unroll 8
    for (unsigned round = 0; round < num_rounds; ++round)
#pragma unroll
        for (unsigned i = 0; i < num_chains; ++i) x[i] = fmaf(x[i], 0.5f, 0.5f);
    float sum = 0;
    for (unsigned i = 0; i < num_chains; ++i) sum += x[i];
    if (sum == -1.0f) *out = sum;  // never: the sum is positive
}

__device__ unsigned fold(const uint4& v) { return v.x ^ v.y ^ v.z ^ v.w; }

__global__ void __launch_bounds__(block_threads) read_kernel(const uint4* data, size_t n, unsigned num_passes, unsigned* out) {
    unsigned sum = 0;
    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (unsigned pass = 0; pass < num_passes; ++pass)
#pragma unroll 4
        for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += stride) sum = (sum << 1) ^ fold(__ldcg(data + i));
    if (sum == 1) *out = sum;  // never: the memory holds zeros
}

/// Places follow from a counter, not from what was read, so that fetches overlap as far as the device lets them.
template <bool first_level>
__global__ void __launch_bounds__(block_threads) fetch_kernel(const uint4* data, unsigned num_places, unsigned num_fetches, unsigned* out) {
    unsigned sum = 0, place = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
#pragma unroll 4
    for (unsigned i = 0; i < num_fetches; ++i) {
        place = place * 1664525u + 1013904223u;
        const unsigned at = __umulhi(place ^ (place >> 15), num_places);
        const uint4* words = data + static_cast<size_t>(at) * 4;
        for (unsigned word = 0; word < 4; ++word) sum ^= fold(first_level ? __ldg(words + word) : __ldcg(words + word));
    }
    if (sum == 1) *out = sum;
}

class CudaRooflineProbe final : public RooflineProbe {
  public:
    explicit CudaRooflineProbe(int device) : num_sms_((use_device(device), static_cast<unsigned>(num_multiprocessors(device)))), data_(dram_bytes / sizeof(uint4)), out_(1) {}

    double measure(Ceiling ceiling) override {
        constexpr unsigned fma_rounds = 1u << 16, l2_passes = 400;
        switch (ceiling) {
            case Ceiling::Fma:
                return num_threads() * num_chains * fma_rounds / ns([&] { fma_kernel<<<grid(), block_threads, 0, stream_>>>(reinterpret_cast<float*>(out_.data()), fma_rounds); });
            case Ceiling::L2Bytes: return static_cast<double>(l2_bytes) * l2_passes / ns([&] { read(l2_bytes, l2_passes); });
            case Ceiling::DramBytes: return static_cast<double>(dram_bytes) / ns([&] { read(dram_bytes, 1); });
            case Ceiling::L2Fetches: return measure_fetches(l2_bytes, false);
            case Ceiling::DramFetches: return measure_fetches(dram_bytes, false);
        }
        return 0;
    }
    double measure_fetches(size_t bytes, bool first_level) override {
        const unsigned num = bytes <= (size_t{1} << 25) ? 4096 : 1024;
        return num_threads() * num / ns([&] { (first_level ? fetch_kernel<true> : fetch_kernel<false>)<<<grid(), block_threads, 0, stream_>>>(data_.data(), static_cast<unsigned>(bytes / 64), num, out_.data()); });
    }

  private:
    unsigned grid() const { return num_sms_ * blocks_per_sm; }
    double num_threads() const { return static_cast<double>(grid()) * block_threads; }
    void read(size_t bytes, unsigned passes) { read_kernel<<<grid(), block_threads, 0, stream_>>>(data_.data(), bytes / sizeof(uint4), passes, out_.data()); }
    template <class Launch>
    double ns(const Launch& launch) {
        begin_.record(stream_);
        launch();
        cuda_check(cudaGetLastError(), "launching a kernel");
        end_.record(stream_);
        end_.synchronize();
        return 1e6 * ms_between(begin_, end_);
    }

    unsigned num_sms_;
    DeviceArray<uint4> data_;
    DeviceArray<unsigned> out_;
    Stream stream_;
    Event begin_, end_;
};

}  // namespace

std::unique_ptr<RooflineProbe> make_roofline_probe(int device) { return std::make_unique<CudaRooflineProbe>(device); }

}  // namespace warpath::experiments
