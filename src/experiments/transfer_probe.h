#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpath::experiments {

/// Ways to get bytes from the host to the device, or back.
enum class TransferWay {
    Pageable,    ///< one copy from ordinary memory
    Pinned,      ///< one copy from pinned memory
    Mapped,      ///< a kernel reads or writes pinned host memory itself
    Pieces,      ///< 64 copies of a 64th from pinned memory
};
inline constexpr const char* transfer_way_names[] = {"pageable", "pinned", "mapped", "64 pieces"};

/// What a copy beside a kernel on another stream came to.
struct Overlap {
    double copy_us = 0, kernel_us = 0, both_us = 0;
    /// Share of the shorter one that was hidden behind the other.
    double hidden() const {
        const double shorter = copy_us < kernel_us ? copy_us : kernel_us;
        return shorter > 0 ? (copy_us + kernel_us - both_us) / shorter : 0;
    }
};

/// Times copies over the bus. Host clock, microseconds, from the call to the completion.
/// Threads: one.
class TransferProbe {
  public:
    virtual ~TransferProbe() = default;
    /// bytes: a multiple of 1024, at most max_bytes. The bytes are checked after every way back: Errors: Device where they differ.
    virtual double copy_us(TransferWay way, bool to_device, size_t bytes) = 0;
    /// A pinned copy to the device, and a kernel of about the same time on half of the multiprocessors, one by one and side by side.
    virtual Overlap overlap(size_t bytes) = 0;
    static constexpr size_t max_bytes = size_t{1} << 28;
};

/// Errors:  Unavailable, saying why the device cannot be used, or that CUDA is not built in; Device.
std::unique_ptr<TransferProbe> make_transfer_probe(int device);

}  // namespace warpath::experiments
