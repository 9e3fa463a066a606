#include "backends/cuda/cuda_accounts.h"

#include <string>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/tuning.h"
#include "backends/host_log.h"
#include "warpath/error.h"

namespace warpath {

namespace {

constexpr uint32_t change_copies = 4;

__global__ void read_clock(uint64_t* clock_ns) { asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*clock_ns)); }

template <class T>
T* allocate(size_t size, const char* what) {
    T* pointer = nullptr;
    const cudaError_t result = cudaMalloc(&pointer, size * sizeof(T));
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        throw Error(ErrorCode::OutOfMemory, std::string("the device has no room for ") + what + ": " + std::to_string(size * sizeof(T)) +
                                                " bytes asked for; try a smaller --trace-events");
    }
    cuda_check(result, std::string("allocating ") + what);
    return pointer;
}
template <class T>
uint64_t download(const T* data, std::vector<T>& host, cudaStream_t stream) {
    const size_t bytes = host.size() * sizeof(T);
    if (bytes > 0) cuda_check(cudaMemcpyAsync(host.data(), data, bytes, cudaMemcpyDeviceToHost, stream), "reading the accounts");
    return bytes;
}

size_t num_events(const AccountView& view, uint32_t per_place) { return static_cast<size_t>(view.num_places) * per_place; }

}  // namespace

CudaAccounts::CudaAccounts(int num_sms) {
    view_.num_places = static_cast<uint32_t>(num_sms) * warp_slots_per_sm;
    view_.num_change_copies = change_copies;
    view_.frame = allocate<uint64_t>(num_frame_words, "accounts");
    view_.places = allocate<uint64_t>(static_cast<size_t>(view_.num_places) * num_place_words, "accounts");
    view_.changes = allocate<uint32_t>(static_cast<size_t>(change_copies) * num_time_bins, "accounts");
}

CudaAccounts::~CudaAccounts() {
    cudaFree(view_.frame);
    cudaFree(view_.places);
    cudaFree(view_.changes);
    cudaFree(events_);
    cudaFree(num_events_);
}

uint64_t CudaAccounts::fixed_bytes() const {
    return sizeof(uint64_t) * (num_frame_words + static_cast<uint64_t>(view_.num_places) * num_place_words) +
           sizeof(uint32_t) * static_cast<uint64_t>(change_copies) * num_time_bins;
}
uint64_t CudaAccounts::event_bytes(uint32_t events_per_place) const {
    return events_per_place ? sizeof(TraceEvent) * num_events(view_, events_per_place) + sizeof(uint32_t) * view_.num_places : 0;
}
uint64_t CudaAccounts::bytes_for(bool timeline, uint32_t events_per_place) const {
    const uint32_t wanted = timeline ? choose_events_per_place(events_per_place, view_.num_places) : 0;
    return fixed_bytes() + event_bytes(wanted > room_ ? wanted : room_);
}

void CudaAccounts::make_room(uint32_t events_per_place) {
    if (room_ >= events_per_place) return;
    cudaFree(events_);
    events_ = nullptr;
    room_ = 0;
    events_ = allocate<TraceEvent>(num_events(view_, events_per_place), "the timeline");
    if (!num_events_) num_events_ = allocate<uint32_t>(view_.num_places, "the timeline");
    room_ = events_per_place;
}

/// The best of a few tries: the device's clock is read somewhere between two looks at the host's.
void CudaAccounts::compare_clocks(cudaStream_t stream) {
    clock_error_ns_ = ~uint64_t{0};
    for (int i = 0; i < 16; ++i) {
        uint64_t device_ns = 0;
        cuda_check(cudaStreamSynchronize(stream), "comparing clocks");
        const uint64_t before = host_clock_ns();
        read_clock<<<1, 1, 0, stream>>>(view_.frame);
        cuda_check(cudaGetLastError(), "comparing clocks");
        cuda_check(cudaStreamSynchronize(stream), "comparing clocks");
        const uint64_t after = host_clock_ns();
        cuda_check(cudaMemcpyAsync(&device_ns, view_.frame, sizeof device_ns, cudaMemcpyDeviceToHost, stream), "comparing clocks");
        cuda_check(cudaStreamSynchronize(stream), "comparing clocks");
        if ((after - before) / 2 >= clock_error_ns_) continue;
        clock_error_ns_ = (after - before) / 2;
        clock_offset_ns_ = static_cast<int64_t>(before + (after - before) / 2) - static_cast<int64_t>(device_ns);
    }
}

void CudaAccounts::make_timeline(cudaStream_t stream, bool timeline, uint32_t events_per_place) {
    view_.events_per_place = timeline ? choose_events_per_place(events_per_place, view_.num_places) : 0;
    if (timeline) {
        make_room(view_.events_per_place);
        compare_clocks(stream);
    }
    view_.events = timeline ? events_ : nullptr;
    view_.num_events = timeline ? num_events_ : nullptr;
}

uint64_t CudaAccounts::read(cudaStream_t stream, GroupAccounts& accounts) const {
    accounts.resize(view_.num_places, change_copies, view_.events_per_place);
    accounts.places_per_sm = warp_slots_per_sm;
    accounts.clock_offset_ns = view_.events ? clock_offset_ns_ : 0;
    accounts.clock_error_ns = view_.events ? clock_error_ns_ : 0;
    const uint64_t bytes = download(view_.frame, accounts.frame, stream) + download(view_.places, accounts.places, stream) +
                           download(view_.changes, accounts.changes, stream) + download(view_.num_events, accounts.num_events, stream) +
                           download(view_.events, accounts.events, stream);
    cuda_check(cudaStreamSynchronize(stream), "reading the accounts");
    return bytes;
}

}  // namespace warpath
