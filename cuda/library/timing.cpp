#include "cuda/library/timing.h"

#include <algorithm>

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"

namespace threefold::cuda::library {
namespace {

constexpr int kReplays = 4;
constexpr int kMostTimes = 10;              ///< in one replay
constexpr float kEnoughMilliseconds = 0.5;  ///< for one replay

/// `times` in one launch. What cannot be captured is of no use here anyway.
OwnedGraph repeated(Stream stream, const std::function<void()>& work, int times) {
    Capture running(stream);
    for (int i = 0; i < times; ++i) work();
    return running.end();
}

}  // namespace

float elapsed(Stream stream, const std::function<void()>& work) {
    const OwnedEvent begin = makeEvent(true);
    const OwnedEvent end = makeEvent(true);
    CUDA_CHECK(cudaEventRecord(begin.get(), stream));
    work();
    CUDA_CHECK(cudaEventRecord(end.get(), stream));
    CUDA_CHECK(cudaEventSynchronize(end.get()));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    return milliseconds;
}

ReplayTimes replayTimes(Stream stream, const std::function<void()>& work, int replays) {
    work();  // loads what is not to be loaded while capturing
    // Of a short kernel, this is mostly how long the host takes to enqueue it.
    const float once = elapsed(stream, work);
    const int times =
        std::clamp(static_cast<int>(kEnoughMilliseconds / std::max(once, 1e-3F)), 1, kMostTimes);
    const OwnedGraph graph = repeated(stream, work, times);
    const OwnedGraphExec exec = instantiate(graph);
    ReplayTimes result;
    CUDA_CHECK(cudaGraphGetNodes(graph.get(), nullptr, &result.nodes));
    result.nodes /= static_cast<std::size_t>(times);
    for (int replay = 0; replay < replays; ++replay)
        result.milliseconds.push_back(
            elapsed(stream, [&] { CUDA_CHECK(cudaGraphLaunch(exec.get(), stream)); }) /
            static_cast<float>(times));
    std::sort(result.milliseconds.begin(), result.milliseconds.end());
    return result;
}

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
    return ifDeviceCan([&] { return replayTimes(stream, work, kReplays).milliseconds.front(); });
}

}  // namespace threefold::cuda::library
