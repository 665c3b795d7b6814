#include "cuda/library/timing.h"

#include <algorithm>

#include <cuda_runtime_api.h>

#include "cuda/backend/capture.h"
#include "cuda/backend/check.h"
#include "cuda/backend/handles.h"

namespace threefold::cuda::library {
namespace {

constexpr int kReplays = 5;
constexpr int kTimes = 10;  ///< in one replay

/// Many times over in one launch: of a short kernel alone, what is measured is how long the host
/// takes to enqueue it. What cannot be captured is of no use here anyway.
OwnedGraphExec repeated(Stream stream, const std::function<void()>& work) {
    Capture running(stream);
    for (int i = 0; i < kTimes; ++i) work();
    return instantiate(running.end());
}

float bestOf(Stream stream, const std::function<void()>& work) {
    work();  // loads what is not to be loaded while capturing
    CUDA_CHECK(cudaStreamSynchronize(stream));
    const OwnedGraphExec graph = repeated(stream, work);
    const OwnedEvent begin = makeEvent(true);
    const OwnedEvent end = makeEvent(true);
    float best = 0;
    for (int replay = 0; replay < kReplays; ++replay) {
        CUDA_CHECK(cudaEventRecord(begin.get(), stream));
        CUDA_CHECK(cudaGraphLaunch(graph.get(), stream));
        CUDA_CHECK(cudaEventRecord(end.get(), stream));
        CUDA_CHECK(cudaEventSynchronize(end.get()));
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
        best = replay == 0 ? milliseconds : std::min(best, milliseconds);
    }
    return best / kTimes;
}

}  // namespace

std::optional<std::size_t> fastest(
    std::size_t candidates, std::size_t enough,
    const std::function<std::optional<float>(std::size_t candidate)>& measure) {
    std::optional<std::size_t> best;
    float bestTime = 0;
    std::size_t worked = 0;
    for (std::size_t candidate = 0; candidate < candidates && worked < enough; ++candidate) {
        const std::optional<float> time = measure(candidate);
        if (!time) continue;
        ++worked;
        if (!best || *time < bestTime) {
            best = candidate;
            bestTime = *time;
        }
    }
    return best;
}

std::optional<float> millisecondsOf(Stream stream, const std::function<void()>& work) {
    try {
        return bestOf(stream, work);
    } catch (const DeviceLost&) {
        throw;
    } catch (const OutOfDeviceMemory&) {
        throw;
    } catch (const DeviceError&) {
        return std::nullopt;
    }
}

}  // namespace threefold::cuda::library
