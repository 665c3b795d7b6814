#pragma once

#include <nvtx3/nvToolsExt.h>

namespace threefold::cuda {

/// Names a stretch of the host's time for profilers; costs nothing worth counting without one.
class NvtxRange {
  public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    ~NvtxRange() { nvtxRangePop(); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace threefold::cuda
