#include "experiments/transfer_probe.h"

#include <algorithm>
#include <cstring>

#include "experiments/cuda/cuda_handles.cuh"

namespace warpath::experiments {
namespace {

__global__ void copy_kernel(const uint4* from, uint4* to, size_t n) {
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n; i += static_cast<size_t>(gridDim.x) * blockDim.x) to[i] = from[i];
}
__global__ void hold_kernel(long long cycles) { hold(cycles); }

class CudaTransferProbe final : public TransferProbe {
  public:
    explicit CudaTransferProbe(int device)
        : num_sms_((use_device(device), num_multiprocessors(device))), device_bytes_(max_bytes), pinned_(max_bytes), pageable_(max_bytes, 1) {
        cycles_per_us_ = cycles_per_us();
    }

    double copy_us(TransferWay way, bool to_device, size_t bytes) override {
        unsigned char* host = way == TransferWay::Pageable ? pageable_.data() : pinned_.host();
        const auto mark = static_cast<unsigned char>(++num_copies_ % 251 + 1);
        host[0] = host[bytes / 2] = host[bytes - 1] = to_device ? mark : 0;
        const HostTimer timer;
        if (way == TransferWay::Mapped)
            copy_by_kernel(to_device, bytes);
        else
            copy_by_call(host, way == TransferWay::Pieces ? 64 : 1, to_device, bytes);
        stream_.synchronize();
        const double us = timer.us();
        check_marks(host, to_device, bytes, mark);
        return us;
    }
    Overlap overlap(size_t bytes) override {
        const auto copy = [&] { copy_by_call(pinned_.host(), 1, true, bytes); };
        Overlap result;
        result.copy_us = timed([&] { copy(); });
        const auto cycles = static_cast<long long>(result.copy_us * cycles_per_us_);
        const auto compute = [&] { hold_kernel<<<std::max(1, num_sms_ / 2), 128, 0, other_>>>(cycles); };
        result.kernel_us = timed([&] { compute(); });
        result.both_us = timed([&] { compute(), copy(); });
        cuda_check(cudaGetLastError(), "launching a kernel");
        return result;
    }

  private:
    template <class F>
    double timed(const F& f) {
        const HostTimer timer;
        f();
        stream_.synchronize();
        other_.synchronize();
        return timer.us();
    }
    void copy_by_kernel(bool to_device, size_t bytes) {
        const auto* host = reinterpret_cast<uint4*>(pinned_.device());
        auto* device = reinterpret_cast<uint4*>(device_bytes_.data());
        const unsigned blocks = static_cast<unsigned>(std::min<size_t>(static_cast<size_t>(num_sms_) * 8, (bytes / sizeof(uint4) + 255) / 256));
        copy_kernel<<<blocks, 256, 0, stream_>>>(to_device ? host : device, to_device ? device : const_cast<uint4*>(host), bytes / sizeof(uint4));
        cuda_check(cudaGetLastError(), "launching a kernel");
    }
    void copy_by_call(unsigned char* host, size_t num_pieces, bool to_device, size_t bytes) {
        const size_t piece = bytes / num_pieces;
        for (size_t i = 0; i < num_pieces; ++i) {
            unsigned char *here = host + i * piece, *there = device_bytes_.data() + i * piece;
            cuda_check(to_device ? cudaMemcpyAsync(there, here, piece, cudaMemcpyHostToDevice, stream_) : cudaMemcpyAsync(here, there, piece, cudaMemcpyDeviceToHost, stream_),
                       "copying");
        }
    }
    /// To the device: three bytes are read back. From it: the host's three, which were overwritten with 0, are what the copy before left there.
    void check_marks(const unsigned char* host, bool to_device, size_t bytes, unsigned char mark) {
        for (const size_t at : {size_t{0}, bytes / 2, bytes - 1}) {
            unsigned char there = 0;
            cuda_check(cudaMemcpy(&there, device_bytes_.data() + at, 1, cudaMemcpyDeviceToHost), "reading device memory");
            if (to_device ? there != mark : there != host[at]) throw Error(ErrorCode::Device, "a copy of " + std::to_string(bytes) + " bytes did not arrive as it was sent");
        }
    }

    int num_sms_;
    DeviceArray<unsigned char> device_bytes_;
    MappedArray<unsigned char> pinned_;
    std::vector<unsigned char> pageable_;
    Stream stream_, other_;
    double cycles_per_us_ = 0;
    uint32_t num_copies_ = 0;
};

}  // namespace

std::unique_ptr<TransferProbe> make_transfer_probe(int device) { return std::make_unique<CudaTransferProbe>(device); }

}  // namespace warpath::experiments
