#pragma once

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// From its making to end(), what this thread puts into the stream (and into those that wait for
/// it) becomes a graph and does not run. Always ended: a stream left in a capture could do nothing
/// else any more.
class Capture {
  public:
    /// Relaxed: should a library allocate or load something on the side, it may.
    explicit Capture(cudaStream_t stream) : stream_(stream) {
        CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    }
    ~Capture() {
        if (ended_) return;
        cudaGraph_t graph = nullptr;
        if (cudaStreamEndCapture(stream_, &graph) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
        }
        const OwnedGraph dropped(graph);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

    OwnedGraph end() {
        ended_ = true;
        cudaGraph_t graph = nullptr;
        CUDA_CHECK(cudaStreamEndCapture(stream_, &graph));
        return OwnedGraph(graph);
    }

  private:
    cudaStream_t stream_;
    bool ended_ = false;
};

/// Its kernels keep the priorities of the streams that they were captured in. Throws
/// OutOfDeviceMemory, DeviceError.
inline OwnedGraphExec instantiate(const OwnedGraph& graph) {
    cudaGraphExec_t exec = nullptr;
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph.get(), cudaGraphInstantiateFlagUseNodePriority));
    return OwnedGraphExec(exec);
}

}  // namespace threefold::cuda
