#pragma once

#include <nvtx3/nvToolsExt.h>

namespace threefold::cuda {

/// Names a span of host time for profilers; nearly free if none runs.
class NvtxRange {
  public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    ~NvtxRange() { nvtxRangePop(); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace threefold::cuda
