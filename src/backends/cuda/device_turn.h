#pragma once

#include <mutex>

namespace warpath {

class CudaBackend;

/// A device's turn: while a host thread holds it, no other one works on that device in this process. A kernel that stays holds the whole device, and whatever
/// needs room beside it (another kernel, a memset, an allocation) would wait for ever; so a backend that takes its turn first has every other
/// backend's leave. A turn can be taken again by the thread that has it.
class DeviceTurn {
  public:
    /// `whose`: the backend that takes the turn, null for none yet. Errors:  Device.
    DeviceTurn(int device, CudaBackend* whose);

    /// The backend whose kernel stays on a device; null when it has left. To be told by whoever has the turn.
    static void set_serving(int device, CudaBackend* backend);

  private:
    std::unique_lock<std::recursive_mutex> lock_;
};

}  // namespace warpath
