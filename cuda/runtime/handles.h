#pragma once

#include <memory>
#include <type_traits>

#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include "cuda/runtime/check.h"

namespace threefold::cuda {

/// Ignores a failure of a clean-up call, which only repeats an earlier reported one; also clears
/// CUDA's last-error variable.
inline void ignoreFailure(cudaError_t status) noexcept {
    if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
}

template <auto destroy>
struct Destroy {
    template <class Handle>
    void operator()(Handle handle) const noexcept {
        if constexpr (std::is_same_v<decltype(destroy(handle)), cudaError_t>) {
            ignoreFailure(destroy(handle));
        } else {
            static_cast<void>(destroy(handle));
        }
    }
};

/// Owns a handle of CUDA or of one of its libraries.
template <class Handle, auto destroy>
using OwnedHandle = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

using OwnedStream = OwnedHandle<cudaStream_t, cudaStreamDestroy>;
using OwnedEvent = OwnedHandle<cudaEvent_t, cudaEventDestroy>;
using OwnedGraph = OwnedHandle<cudaGraph_t, cudaGraphDestroy>;
using OwnedGraphExec = OwnedHandle<cudaGraphExec_t, cudaGraphExecDestroy>;

/// Owns the handle that `create(&handle)` writes; `create` throws on failure.
template <class Owner, class Create>
Owner makeOwned(const Create& create) {
    typename Owner::pointer handle = nullptr;
    create(&handle);
    return Owner(handle);
}

/// Scheduling priority of a stream's blocks, in CUDA's numbers: lower runs first.
enum class StreamPriority : int { high = -1, normal = 0 };

/// Creates a stream that does not synchronise with the legacy default stream, which capture
/// forbids.
inline OwnedStream makeStream(StreamPriority priority = StreamPriority::normal) {
    return makeOwned<OwnedStream>([&](cudaStream_t* stream) {
        CUDA_CHECK(cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking,
                                                static_cast<int>(priority)));
    });
}

/// Creates an event without a time, for waits.
inline OwnedEvent makeEvent() {
    return makeOwned<OwnedEvent>([&](cudaEvent_t* event) {
        CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    });
}

/// Creates an event that records its time.
inline OwnedEvent makeTimedEvent() {
    return makeOwned<OwnedEvent>(
        [&](cudaEvent_t* event) { CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDefault)); });
}

/// Stream capture: until end(), work enqueued in the stream (and in streams that wait for it)
/// becomes a graph instead of running. The destructor also ends the capture, since a capturing
/// stream is otherwise unusable.
class Capture {
  public:
    /// Relaxed mode: libraries may allocate or load modules meanwhile.
    explicit Capture(cudaStream_t stream) : stream_(stream) {
        CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed));
    }
    ~Capture() {
        if (ended_) return;
        const auto dropped = makeOwned<OwnedGraph>(
            [&](cudaGraph_t* graph) { ignoreFailure(cudaStreamEndCapture(stream_, graph)); });
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;

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

/// Names a span of host time for profilers; nearly free without one.
class NvtxRange {
  public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    ~NvtxRange() { nvtxRangePop(); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace threefold::cuda
