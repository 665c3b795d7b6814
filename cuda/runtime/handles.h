#pragma once

#include <memory>
#include <type_traits>

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"

namespace threefold::cuda {

/// Ignores a failure of a clean-up call, which only repeats a failure reported earlier; also clears
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

/// Creates a stream that does not synchronise with the legacy default stream: capture forbids such
/// synchronisation.
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

}  // namespace threefold::cuda
