#include "cuda/library/timing.h"

#include <algorithm>

#include <cuda_runtime_api.h>

#include "cuda/backend/check.h"
#include "cuda/backend/handles.h"

namespace threefold::cuda::library {
namespace {

constexpr int kRuns = 5;

OwnedEvent makeEvent() {
    cudaEvent_t event = nullptr;
    CUDA_CHECK(cudaEventCreate(&event));
    return OwnedEvent(event);
}

float bestOf(Stream stream, const std::function<void()>& work) {
    const OwnedEvent begin = makeEvent();
    const OwnedEvent end = makeEvent();
    work();
    float best = 0;
    for (int run = 0; run < kRuns; ++run) {
        CUDA_CHECK(cudaEventRecord(begin.get(), stream));
        work();
        CUDA_CHECK(cudaEventRecord(end.get(), stream));
        CUDA_CHECK(cudaEventSynchronize(end.get()));
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
        best = run == 0 ? milliseconds : std::min(best, milliseconds);
    }
    return best;
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
