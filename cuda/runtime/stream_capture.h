#pragma once

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda {

/// Stream capture: until end(), work enqueued in the stream (and in streams that wait for it)
/// becomes a graph instead of running. The destructor also ends the capture, since a capturing
/// stream is otherwise unusable.
class StreamCapture {
  public:
    /// Begins in relaxed mode, in which libraries may allocate memory or load modules.
    explicit StreamCapture(cudaStream_t stream) : stream_(stream) {
        CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    }
    ~StreamCapture() {
        if (ended_) return;
        const auto dropped = makeOwned<OwnedGraph>(
            [&](cudaGraph_t* graph) { ignoreFailure(cudaStreamEndCapture(stream_, graph)); });
    }
    StreamCapture(const StreamCapture&) = delete;
    StreamCapture& operator=(const StreamCapture&) = delete;

    OwnedGraph end() {
        ended_ = true;
        return makeOwned<OwnedGraph>(
            [&](cudaGraph_t* graph) { CUDA_CHECK(cudaStreamEndCapture(stream_, graph)); });
    }

  private:
    cudaStream_t stream_;
    bool ended_ = false;
};

/// Instantiates a graph; kernels keep the priorities of the streams they were captured in. Throws
/// OutOfDeviceMemory, DeviceError.
inline OwnedGraphExec instantiate(const OwnedGraph& graph) {
    return makeOwned<OwnedGraphExec>([&](cudaGraphExec_t* exec) {
        CUDA_CHECK(
            cudaGraphInstantiate(exec, graph.get(), cudaGraphInstantiateFlagUseNodePriority));
    });
}

}  // namespace threefold::cuda
