#include "backends/cuda/cuda_backend.cuh"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "backends/execute.h"

namespace warpath {

namespace {

constexpr size_t all_counter_bytes = sizeof(uint64_t) * counter_copies * num_counter_words;
constexpr size_t flag_bytes = 2 * sizeof(uint64_t) + sizeof(uint32_t);  // heartbeat, stall word, stop level
constexpr size_t num_pinned_words = 32;
constexpr size_t num_zero_bytes = 1 << 20;
constexpr std::chrono::microseconds service_question_time{200};  // between two questions to the driver while a task is waited for

}  // namespace

CudaBackend::CudaBackend(int device) : device_(device) {
    const DeviceTurn turn(device, nullptr);
    cuda_check(cudaDeviceGetAttribute(&num_sms_, cudaDevAttrMultiProcessorCount, device), "asking for the number of SMs");
    cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
    cuda_check(cudaStreamCreateWithFlags(&side_stream_, cudaStreamNonBlocking), "creating a stream");
    cuda_check(cudaStreamCreateWithFlags(&device_service_stream_, cudaStreamNonBlocking), "creating a stream");
    service_stream_ = device_service_stream_;
    cuda_check(cudaMallocHost(&pinned_, num_pinned_words * sizeof(uint64_t)), "allocating pinned host memory");
    cuda_check(cudaMallocHost(&zeros_, num_zero_bytes), "allocating pinned host memory");
    memset(zeros_, 0, num_zero_bytes);
    cuda_check(cudaHostAlloc(&mailbox_, (num_mailbox_words + 1) * sizeof(uint64_t), cudaHostAllocMapped), "allocating mapped host memory");
    cuda_check(cudaHostGetDevicePointer(&d_mailbox_, mailbox_, 0), "mapping host memory");
    int major = 0;
    cuda_check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "asking for the compute capability");
    dependent_launch_.value = major >= 9;
    size_t free_bytes = 0, total_bytes = 0;
    cuda_check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free device memory");
    context_bytes_ = total_bytes - free_bytes;
    d_counters_ = static_cast<uint64_t*>(allocate_bytes("counters", all_counter_bytes));
    d_heartbeat_ = static_cast<uint64_t*>(allocate_bytes("heartbeat", sizeof(uint64_t)));
    d_stall_ = static_cast<uint64_t*>(allocate_bytes("stall word", sizeof(uint64_t)));
    d_stop_level_ = static_cast<uint32_t*>(allocate_bytes("stop flag", sizeof(uint32_t)));
    accounts_ = std::make_unique<CudaAccounts>(num_sms_);
}

CudaBackend::~CudaBackend() {
    try {
        const DeviceTurn turn(device_, nullptr);  // everybody's kernel leaves, since memory is freed
        park_service();
    } catch (const Error&) {  // the device is lost; what is freed below is lost with it
    }
    cudaFree(d_counters_);
    cudaFree(d_heartbeat_);
    cudaFree(d_stall_);
    cudaFree(d_stop_level_);
    cudaFreeHost(pinned_);
    cudaFreeHost(mailbox_);
    cudaFreeHost(zeros_);
    cudaStreamDestroy(stream_);
    cudaStreamDestroy(side_stream_);
    cudaStreamDestroy(device_service_stream_);
}

DeviceLimits CudaBackend::limits(uint64_t fixed_bytes) const {
    DeviceLimits limits;
    limits.group_size = warp_size;
    limits.batch = warp_size;
    limits.slots_per_group = slots_per_warp;
    limits.refill_below = refill_below_lanes;
    limits.max_resident_groups = static_cast<uint32_t>(num_sms_) * 16;
    size_t free_bytes = 0, total_bytes = 0;
    cuda_check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free device memory");
    const uint64_t left = free_bytes > fixed_bytes ? (free_bytes - fixed_bytes) / 20 * 19 : 0;
    limits.max_slots = static_cast<uint32_t>(std::clamp<uint64_t>(left / (slot_bytes() + 4 * num_stages), 1, 0x7ffffffe));
    limits.slots_per_pool = std::min(slots_per_launch_pool, std::max(1u, static_cast<uint32_t>(limits.max_slots / free_memory_per_pool)));
    return limits;
}

void CudaBackend::begin(const RenderJob& job, FrameState& frame) {
    if (serving_ != &frame) park_service();
    frame_ = &frame;
    monitor_ = std::make_unique<RunMonitor>(job, [this](auto& counters) { read_counters(counters); });
    num_launches_ = 0;
    host_heartbeat_ = 0;
    host_log_.begin(job.timeline ? max_host_events : 0);
    wait_limit_ns_ = static_cast<uint64_t>(std::min(job.watchdog_s, 1e9) * 1e9);
    use(job.schedule);
    sent_level_ = StopLevel::Run;
    next_look_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
    std::fill_n(mailbox_, num_mailbox_words + 1, uint64_t{0});
    clear_bytes(d_stall_, sizeof(uint64_t));
    clear_bytes(d_counters_, all_counter_bytes);
    clear_bytes(d_heartbeat_, sizeof(uint64_t));
    clear_bytes(d_stop_level_, sizeof(uint32_t));
    begin_accounts(job);
    synchronize();
}

/// A memset is a kernel, which finds no room beside a resident one and would wait for it for ever; a copy from the host needs no multiprocessor.
void CudaBackend::clear_bytes(void* pointer, size_t bytes) {
    if (!serving_) {
        if (bytes > 0) cuda_check(cudaMemsetAsync(pointer, 0, bytes, stream_), "clearing device memory");
        return;
    }
    for (size_t done = 0; done < bytes; done += num_zero_bytes)
        cuda_check(cudaMemcpyAsync(static_cast<uint8_t*>(pointer) + done, zeros_, std::min(bytes - done, num_zero_bytes), cudaMemcpyHostToDevice, stream_),
                   "clearing device memory");
}

void* CudaBackend::allocate_bytes(const char* name, size_t bytes) {
    void* pointer = nullptr;
    const cudaError_t result = cudaMalloc(&pointer, bytes);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        size_t free_bytes = 0, total_bytes = 0;
        cudaMemGetInfo(&free_bytes, &total_bytes);
        throw Error(ErrorCode::OutOfMemory, std::string("the device has no room for ") + name + ": " + std::to_string(bytes) +
                                                " bytes asked for, " + std::to_string(free_bytes) + " of " + std::to_string(total_bytes) +
                                                " free; try a smaller --pool, --size or scene");
    }
    cuda_check(result, std::string("allocating ") + name);
    allocated_bytes_ += bytes;
    return pointer;
}

void CudaBackend::send_stop_level(StopLevel level) {
    if (level == sent_level_) return;
    sent_level_ = level;
    const HostRange range(host_log_, HostCall::ToDevice, "stop level", sizeof(uint32_t));
    pinned_[3] = static_cast<uint64_t>(level);
    cuda_check(cudaMemcpyAsync(d_stop_level_, pinned_ + 3, sizeof(uint32_t), cudaMemcpyHostToDevice, side_stream_), "sending the stop flag");
    cuda_check(cudaStreamSynchronize(side_stream_), "sending the stop flag");
}

StopLevel CudaBackend::poll(uint64_t started_paths) {
    const StopLevel level = monitor_->update(started_paths, ++host_heartbeat_);
    send_stop_level(level);
    return level;
}

void CudaBackend::read(const uint64_t* from, uint64_t* to, size_t n) {
    const HostRange range(host_log_, HostCall::ToHost, "read sizes", n * sizeof(uint64_t));
    cuda_check(cudaMemcpyAsync(pinned_ + 4, from, n * sizeof(uint64_t), cudaMemcpyDeviceToHost, stream_), "reading control words");
    synchronize();
    std::copy_n(pinned_ + 4, n, to);
}

void CudaBackend::use_graph(cudaGraph_t graph) {
    cudaGraphExec_t& executable = frame_->graph_;
    if (executable) {
        cudaGraphExecUpdateResultInfo info{};
        if (cudaGraphExecUpdate(executable, graph, &info) != cudaSuccess) {
            cudaGetLastError();
            cudaGraphExecDestroy(executable);
            executable = nullptr;
        }
    }
    if (!executable) cuda_check(cudaGraphInstantiate(&executable, graph, 0), "instantiating a graph");
    cuda_check(cudaGraphDestroy(graph), "freeing a graph");
    frame_->is_recorded_ = true;
}

void CudaBackend::launch_graph() {
    const HostRange range(host_log_, HostCall::Launch, "graph");
    cuda_check(cudaGraphLaunch(frame_->graph_, stream_), "launching a graph");
    ++num_launches_;
}

ServiceView CudaBackend::open_service() {
    FrameState& frame = *frame_;
    if (!frame.mail_) {
        cuda_check(cudaHostAlloc(&frame.mail_, sizeof(ServiceMail), cudaHostAllocMapped), "allocating mapped host memory");
        memset(static_cast<void*>(frame.mail_), 0, sizeof(ServiceMail));
        frame.state_ = static_cast<ServiceState*>(allocate_bytes("service state", sizeof(ServiceState)));
        cuda_check(cudaMemsetAsync(frame.state_, 0, sizeof(ServiceState), stream_), "clearing the service state");
        synchronize();
        frame.session_ = std::make_unique<ServiceSession>(frame.mail_);
    }
    frame.session_->client().reopen();
    ServiceView view{nullptr, frame.state_};
    cuda_check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&view.mail), frame.mail_, 0), "mapping host memory");
    return view;
}

void CudaBackend::choose_service_stream() {
    const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    if (blocking && std::string(blocking) == "1")
        throw Error(ErrorCode::Unavailable, "scheduler \"resident\" needs launches that return at once, and CUDA_LAUNCH_BLOCKING=1 makes them wait for the "
                                            "kernel's end; unset it, or use persistent");
    const uint32_t left = static_cast<uint32_t>(num_sms_) - reserved_sms_;
    if (partition_ && (reserved_sms_ == 0 || partition_->num_sms() < left)) partition_.reset();
    if (reserved_sms_ > 0 && !partition_) partition_ = SmPartition::make(device_, left);
    service_stream_ = partition_ ? partition_->stream() : device_service_stream_;
}

StopLevel CudaBackend::wait_for_service(uint64_t sequence) {
    using namespace std::chrono;
    const HostSpan span(host_log_, HostCall::Wait, "wait for a task");
    ServiceClient& client = service();
    auto next_question = steady_clock::now() + service_question_time;
    for (uint32_t round = 1; client.completed() < sequence; ++round) {
        if (round % 32 != 0) continue;
        if (client.ended() || stall() != 0) return StopLevel::Abort;
        // The driver takes longer to answer than the kernel does to end a small task: it is asked only once it is clear that this is none.
        if (steady_clock::now() < next_question) continue;
        next_question = steady_clock::now() + service_question_time;
        const cudaError_t state = cudaStreamQuery(service_stream_);
        if (state == cudaSuccess && client.completed() < sequence) return StopLevel::Abort;
        if (state != cudaSuccess && state != cudaErrorNotReady) cuda_check(state, "running the resident kernel");
        if (steady_clock::now() < next_look_ && !monitor_->is_asked()) continue;
        next_look_ = steady_clock::now() + milliseconds(5);
        cuda_check(cudaMemcpyAsync(pinned_ + 2, d_heartbeat_, sizeof(uint64_t), cudaMemcpyDeviceToHost, side_stream_), "reading progress");
        cuda_check(cudaStreamSynchronize(side_stream_), "reading progress");
        send_stop_level(monitor_->update(client.completed(), pinned_[2]));
    }
    return stall() != 0 ? StopLevel::Abort : monitor_->level();
}

double CudaBackend::mean_handover_ns() {
    uint64_t words[2];
    cuda_check(cudaMemcpyAsync(words, &frame_->state_->handover_ns, sizeof words, cudaMemcpyDeviceToHost, side_stream_), "reading the hand-over time");
    cuda_check(cudaStreamSynchronize(side_stream_), "reading the hand-over time");
    return static_cast<double>(words[0]) / static_cast<double>(std::max<uint64_t>(1, words[1]));
}

void CudaBackend::park_service() {
    if (!serving_) return;
    FrameState& frame = *serving_;
    serving_ = nullptr;
    DeviceTurn::set_serving(device_, nullptr);
    if (!frame.session_->client().ended()) frame.session_->client().post(ServiceTask::Terminate);
    const cudaError_t result = cudaStreamSynchronize(service_stream_);
    frame.session_->close();
    cuda_check(result, "ending the resident kernel");
}

void CudaBackend::drop_service(FrameState& frame) {
    if (!frame.session_) return;
    park_service();  // another frame's too, since memory is freed
    frame.session_.reset();
    cuda_check(cudaFreeHost(frame.mail_), "freeing mapped host memory");
    frame.mail_ = nullptr;
    cuda_check(cudaFree(frame.state_), "freeing the service state");
    frame.state_ = nullptr;
}

StopLevel CudaBackend::wait(const uint64_t* progress) {
    using namespace std::chrono;
    const HostRange range(host_log_, HostCall::Wait, "wait");
    const auto start = steady_clock::now();
    steady_clock::time_point abort_time{};
    while (true) {
        const cudaError_t state = cudaStreamQuery(stream_);
        if (state == cudaSuccess) break;
        if (state != cudaErrorNotReady) cuda_check(state, "running kernels");
        const auto now = steady_clock::now();
        if (now < next_look_ && !monitor_->is_asked()) {  // sleeps stay far below a hundredth of the time that has passed, so they do not show in it
            if (now - start > milliseconds(20)) std::this_thread::sleep_for(std::min<nanoseconds>((now - start) / 500, milliseconds(1)));
            continue;
        }
        next_look_ = now + milliseconds(5);
        const HostRange look(host_log_, HostCall::ToHost, "read progress", 2 * sizeof(uint64_t));
        cuda_check(cudaMemcpyAsync(pinned_ + 1, progress, sizeof(uint64_t), cudaMemcpyDefault, side_stream_), "reading progress");
        cuda_check(cudaMemcpyAsync(pinned_ + 2, d_heartbeat_, sizeof(uint64_t), cudaMemcpyDeviceToHost, side_stream_), "reading progress");
        cuda_check(cudaStreamSynchronize(side_stream_), "reading progress");
        const StopLevel level = monitor_->update(pinned_[1], pinned_[2]);
        if (level == StopLevel::Abort && sent_level_ != level) abort_time = now;
        send_stop_level(level);
        if (level == StopLevel::Abort && now - abort_time > seconds(5))
            throw Error(ErrorCode::Device, "a kernel made no progress and did not leave when told to; the device may need attention");
    }
    if (stall() != 0) return StopLevel::Abort;
    if (steady_clock::now() > next_look_) {  // many short waits must not keep the monitor from looking
        next_look_ = steady_clock::now() + milliseconds(5);
        send_stop_level(monitor_->update(mail(0), ++host_heartbeat_));
    }
    return monitor_->level();
}

void CudaBackend::read_counters(std::array<uint64_t, num_counter_words>& counters) {
    std::vector<uint64_t> copies(counter_copies * num_counter_words);
    const HostRange range(host_log_, HostCall::ToHost, "read counters", all_counter_bytes);
    cuda_check(cudaMemcpyAsync(copies.data(), d_counters_, all_counter_bytes, cudaMemcpyDeviceToHost, side_stream_), "reading the counters");
    cuda_check(cudaStreamSynchronize(side_stream_), "reading the counters");
    counters.fill(0);
    for (size_t i = 0; i < copies.size(); ++i) counters[i % num_counter_words] += copies[i];
}

uint64_t CudaBackend::counter_bytes(const RenderJob& job) const {
    return all_counter_bytes + flag_bytes + accounts_->bytes_for(job.timeline, job.events_per_place);
}

/// A graph that was recorded for other accounts, as before a timeline got its room, is recorded anew.
void CudaBackend::begin_accounts(const RenderJob& job) {
    if (!serving_) accounts_->make_timeline(stream_, job.timeline, job.events_per_place);  // beside a kernel that stays nothing can run, and it keeps none
    accounts_->clear([this](void* data, size_t bytes) { clear_bytes(data, bytes); });
    if (frame_->accounts_ != accounts_->view()) frame_->forget();
    frame_->accounts_ = accounts_->view();
}

uint64_t CudaBackend::own_bytes() const { return all_counter_bytes + flag_bytes + accounts_->size_bytes(); }

void CudaBackend::read_accounts(GroupAccounts& accounts) {
    const uint64_t begin_ns = host_clock_ns(), bytes = accounts_->read(side_stream_, accounts);
    host_log_.add(HostCall::ToHost, "read accounts", begin_ns, host_clock_ns(), bytes);
}

}  // namespace warpath
