#pragma once

#include <cuda_runtime_api.h>

#include <utility>

#include "cuda/runtime/check.h"

namespace threefold::cuda {

/// Owns a handle of CUDA's: destroyed once, moved and never copied. A destructor's failure has no
/// one to tell: it is the echo of one that was reported.
template <class Handle, auto destroy>
class Owned {
  public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    ~Owned() {
        if (handle_ != nullptr && destroy(handle_) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
        }
    }
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    Handle get() const { return handle_; }
    explicit operator bool() const { return handle_ != nullptr; }

  private:
    Handle handle_ = nullptr;
};

using OwnedStream = Owned<cudaStream_t, cudaStreamDestroy>;
using OwnedEvent = Owned<cudaEvent_t, cudaEventDestroy>;
using OwnedGraph = Owned<cudaGraph_t, cudaGraphDestroy>;
using OwnedGraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// Which of two streams' waiting blocks the device takes up first. CUDA's numbers: less is more.
enum class StreamPriority : int { high = -1, usual = 0 };

/// A stream that does not wait for the legacy default one: capture forbids that.
inline OwnedStream makeStream(StreamPriority priority = StreamPriority::usual) {
    cudaStream_t stream = nullptr;
    CUDA_CHECK(
        cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, static_cast<int>(priority)));
    return OwnedStream(stream);
}

inline OwnedEvent makeEvent(bool timed) {
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaEventCreateWithFlags(&event, timed ? cudaEventDefault : cudaEventDisableTiming));
    return OwnedEvent(event);
}

}  // namespace threefold::cuda
