#pragma once

#include <nvtx3/nvToolsExt.h>

#include "backends/host_log.h"

namespace warpath {

/// A call of the host, in its log and as an NVTX range, so that profilers show it too. NVTX does nothing where no tool listens.
class HostRange {
  public:
    HostRange(HostLog& log, HostCall call, const char* name, uint64_t bytes = 0) : span_(log, call, name, bytes) { nvtxRangePushA(name); }
    ~HostRange() { nvtxRangePop(); }
    HostRange(const HostRange&) = delete;
    HostRange& operator=(const HostRange&) = delete;

  private:
    HostSpan span_;
};

}  // namespace warpath
