#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "schedulers/parts/group_ops.h"

/// How a host talks to a kernel that stays: a ring of tasks that one host thread writes and one group polls, and words that the kernel writes back.
/// The host's side lies in memory that both see (pinned and mapped on CUDA); the device's side in device memory.
namespace warpath {

enum class ServiceTask : uint32_t {
    None,
    Render,     ///< args: first path, number of paths
    Constants,  ///< args: 0, words of payload that count (0: all); the frame's constants are in ServiceMail::payload: camera, size within what was reserved, seed, depth, lights
    Material,   ///< args: material id; the material is in payload
    Develop,    ///< args: 0, words of payload that count; all blocks write the film's picture as these say
    Clear,      ///< all blocks empty the film
    Fence,      ///< done when everything before it is
    Terminate,  ///< the kernel leaves; its state stays for the next one
};

inline constexpr uint32_t service_ring_size = 64;         ///< tasks under way at most
inline constexpr uint32_t service_payload_words = 128;    ///< of the one payload under way
using ServicePayload = std::array<uint64_t, service_payload_words>;

/// Shared by host and device.
struct ServiceMail {
    /// head: sequence number << 8 | ServiceTask, written last. Sequence numbers count from 1.
    struct alignas(32) Task {
        uint64_t head, args[3];
    };
    Task tasks[service_ring_size];
    uint64_t payload[service_payload_words];
    uint64_t completed;   ///< sequence number of the last task that is done; tasks are done in order. Written by the device
    uint64_t started;     ///< of the last task that some group has begun. Written by the device
    uint64_t ended;       ///< 1: the kernel has left its loop. Written by the device
    uint64_t heartbeat;   ///< grows while the host lives. Written by the host
};

/// In device memory; all zero before the first launch, and kept over `park`.
struct ServiceState {
    struct BlockTask {
        uint64_t kind, sequence, first, count;
        uint64_t next_path, ticket;
        uint64_t publish_ns;  ///< when it was handed out
    };
    BlockTask tasks[service_ring_size];
    uint64_t constants[service_payload_words];  ///< of the last Constants task
    uint64_t has_constants;
    uint64_t develop[service_payload_words];    ///< of the last Develop task
    uint64_t published;       ///< tasks handed to all blocks; block tasks count from 1
    uint64_t consumed;        ///< sequence number of the last task taken from the host's ring
    uint64_t finished;        ///< block tasks that all blocks are through with
    uint64_t handover_ns, num_handovers;  ///< sum over blocks of the time from a task's being handed out to seeing it
};

/// The host's side. One thread posts.
class ServiceClient {
  public:
    explicit ServiceClient(ServiceMail* mail) : mail_(mail) {}

    /// Room for another task? The ring holds service_ring_size tasks that are not done.
    bool has_room() const { return posted_ - completed() < service_ring_size; }
    /// Requires has_room(). Gives the task's sequence number.
    uint64_t post(ServiceTask kind, uint64_t arg0 = 0, uint64_t arg1 = 0) {
        const uint64_t sequence = ++posted_;
        ServiceMail::Task& task = mail_->tasks[sequence % service_ring_size];
        task.args[0] = arg0, task.args[1] = arg1;
        __atomic_store_n(&task.head, sequence << 8 | static_cast<uint64_t>(kind), __ATOMIC_RELEASE);
        return sequence;
    }
    /// Bytes for the next Constants, Material or Develop. Only while no other such task is under way.
    void* payload() { return mail_->payload; }
    /// Posts Constants, unless the kernel has these: it was started with the first, and keeps what it was told last. Only while no task with a payload
    /// is under way.
    void tell_constants(const ServicePayload& words, uint32_t num_words = service_payload_words) {
        if (knows_constants_ && told_ != words) {
            std::copy(words.begin(), words.end(), mail_->payload);
            post(ServiceTask::Constants, 0, num_words);
        }
        told_ = words;
        knows_constants_ = true;
    }
    uint64_t completed() const { return __atomic_load_n(&mail_->completed, __ATOMIC_ACQUIRE); }
    uint64_t started() const { return __atomic_load_n(&mail_->started, __ATOMIC_ACQUIRE); }
    bool ended() const { return __atomic_load_n(&mail_->ended, __ATOMIC_ACQUIRE) != 0; }
    uint64_t posted() const { return posted_; }
    void beat() { __atomic_fetch_add(&mail_->heartbeat, 1, __ATOMIC_RELAXED); }
    void reopen() { mail_->ended = 0; }

  private:
    ServiceMail* mail_;
    uint64_t posted_ = 0;
    ServicePayload told_{};
    bool knows_constants_ = false;
};

}  // namespace warpath
