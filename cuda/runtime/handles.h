#pragma once

#include <memory>
#include <type_traits>

#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>

#include "cuda/runtime/check.h"

namespace threefold::cuda {

/// For calls that clean up: a failure only repeats an earlier one that was reported, so it is
/// dropped, also from CUDA's last-error variable.
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
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

using OwnedStream = Owned<cudaStream_t, cudaStreamDestroy>;
using OwnedEvent = Owned<cudaEvent_t, cudaEventDestroy>;
using OwnedGraph = Owned<cudaGraph_t, cudaGraphDestroy>;
using OwnedGraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// Owns what `create(&handle)` makes; create throws where it fails.
template <class Owner, class Create>
Owner owning(const Create& create) {
    typename Owner::pointer handle = nullptr;
    create(&handle);
    return Owner(handle);
}

/// Which of two streams' waiting blocks the device takes up first. CUDA's numbers: less is more.
enum class StreamPriority : int { high = -1, usual = 0 };

/// A stream that does not wait for the legacy default one: capture forbids that.
inline OwnedStream makeStream(StreamPriority priority = StreamPriority::usual) {
    return owning<OwnedStream>([&](cudaStream_t* stream) {
        CUDA_CHECK(cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking,
                                                static_cast<int>(priority)));
    });
}

inline OwnedEvent makeEvent(bool timed) {
    return owning<OwnedEvent>([&](cudaEvent_t* event) {
        CUDA_CHECK(
            cudaEventCreateWithFlags(event, timed ? cudaEventDefault : cudaEventDisableTiming));
    });
}

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

/// Names a span of host time for profilers; nearly free without one.
class NvtxRange {
  public:
    explicit NvtxRange(const char* name) { nvtxRangePushA(name); }
    ~NvtxRange() { nvtxRangePop(); }
    NvtxRange(const NvtxRange&) = delete;
    NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace threefold::cuda
