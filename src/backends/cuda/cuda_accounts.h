#pragma once

#include <cuda_runtime.h>

#include "backends/account_storage.h"

namespace warpath {

/// The accounts of a frame in device memory (backends/group_account.h), and their way to the host.
class CudaAccounts {
  public:
    explicit CudaAccounts(int num_sms);
    ~CudaAccounts();
    CudaAccounts(const CudaAccounts&) = delete;
    CudaAccounts& operator=(const CudaAccounts&) = delete;

    /// Clears them, asynchronously on `stream`, by kernels: no other may hold the device. With a timeline, room for its events is made (and the device's clock is compared with the
    /// host's, which waits for the device); events_per_place as asked for, 0 for a choice.
    void begin(cudaStream_t stream, bool timeline, uint32_t events_per_place);
    AccountView view() const { return view_; }
    /// Waits for `stream`. Gives the bytes copied.
    uint64_t read(cudaStream_t stream, GroupAccounts& accounts) const;
    uint64_t size_bytes() const { return fixed_bytes() + event_bytes(room_); }
    /// What a frame will need.
    uint64_t bytes_for(bool timeline, uint32_t events_per_place) const;

  private:
    uint64_t fixed_bytes() const;
    uint64_t event_bytes(uint32_t events_per_place) const;
    void make_room(uint32_t events_per_place);
    void compare_clocks(cudaStream_t stream);

    AccountView view_;
    TraceEvent* events_ = nullptr;  ///< view_ has it only while a frame keeps a timeline
    uint32_t* num_events_ = nullptr;
    uint32_t room_ = 0;             ///< events per place that fit
    int64_t clock_offset_ns_ = 0;
    uint64_t clock_error_ns_ = 0;
};

}  // namespace warpath
