#pragma once

#include <atomic>

namespace warpath {

/// How much of a multiprocessor's first-level storage kernels would like as shared memory rather than as cache, in per cent of the most that it can be. It holds for
/// the whole process, as the attribute of a kernel does that it becomes. Until somebody says something, no kernel is asked to prefer anything.
/// Source:  CUDA Runtime API, cudaFuncAttributePreferredSharedMemoryCarveout: a hint, which the driver rounds up to what the device has, and to what the kernel needs.
/// Threads: any, but not while kernels are launched.
class CarveOut {
  public:
    static constexpr int never_said = -2, driver_chooses = -1;

    static int preferred() { return percent_; }
    /// Holds for kernels launched, and for frames prepared, while this lives; afterwards the driver chooses again. `percent`: 0 to 100, or driver_chooses.
    explicit CarveOut(int percent) { percent_ = percent; }
    ~CarveOut() { percent_ = driver_chooses; }
    /// No kernel is asked any more: to be called once those that were asked have been launched with driver_chooses, so that nothing is left of it.
    static void forget() { percent_ = never_said; }
    CarveOut(const CarveOut&) = delete;
    CarveOut& operator=(const CarveOut&) = delete;

  private:
    static inline std::atomic<int> percent_{never_said};
};

}  // namespace warpath
