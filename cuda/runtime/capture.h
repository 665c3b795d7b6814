#pragma once

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// Until end(), what this thread enqueues in the stream (and in those that wait for it) becomes a
/// graph instead of running. The destructor ends the capture, too: a stream left capturing could
/// do nothing else any more.
class Capture {
  public:
    /// Relaxed: libraries may allocate or load something meanwhile.
    explicit Capture(cudaStream_t stream) : stream_(stream) {
        CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    }
    ~Capture() {
        if (ended_) return;
        const auto dropped = owning<OwnedGraph>(
            [&](cudaGraph_t* graph) { ignoreFailure(cudaStreamEndCapture(stream_, graph)); });
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    OwnedGraph end() {
        ended_ = true;
        return owning<OwnedGraph>(
            [&](cudaGraph_t* graph) { CUDA_CHECK(cudaStreamEndCapture(stream_, graph)); });
    }

  private:
    cudaStream_t stream_;
    bool ended_ = false;
};

/// Its kernels keep the priorities of the streams that they were captured in. Throws
/// OutOfDeviceMemory, DeviceError.
inline OwnedGraphExec instantiate(const OwnedGraph& graph) {
    return owning<OwnedGraphExec>([&](cudaGraphExec_t* exec) {
        CUDA_CHECK(
            cudaGraphInstantiate(exec, graph.get(), cudaGraphInstantiateFlagUseNodePriority));
    });
}

}  // namespace threefold::cuda
