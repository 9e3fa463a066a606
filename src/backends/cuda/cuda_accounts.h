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

    /// From here on a timeline is kept, or is not. With one, room for its events is made, and the device's clock is compared with the host's, which runs a kernel on `stream` and
    /// waits for it; events_per_place as asked for, 0 for a choice.
    void make_timeline(cudaStream_t stream, bool timeline, uint32_t events_per_place);
    /// zero(data, size_bytes) is called for what is to be cleared.
    template <class Zero>
    void clear(const Zero& zero) {
        zero(view_.frame, num_frame_words * sizeof(uint64_t));
        zero(view_.places, size_t{view_.num_places} * num_place_words * sizeof(uint64_t));
        zero(view_.changes, size_t{view_.num_change_copies} * num_time_bins * sizeof(uint32_t));
        zero(view_.num_events, view_.num_events ? view_.num_places * sizeof(uint32_t) : 0);
    }
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
