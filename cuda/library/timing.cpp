#include "cuda/library/timing.h"

#include <algorithm>

#include <cuda_runtime_api.h>

#include "cuda/runtime/check.h"
#include "cuda/runtime/handles.h"
#include "cuda/runtime/stream_capture.h"

namespace threefold::cuda::library {
namespace {

constexpr int kReplays = 4;
constexpr int kMaxRepeats = 10;                ///< calls of `work` in one replay
constexpr float kMinReplayMilliseconds = 0.5;  ///< minimum length of one replay

/// Captures `times` calls of `work` into one graph. Fails for work that cannot be captured, which a
/// network's graph could not contain either.
OwnedGraph captureRepeated(Stream stream, const std::function<void()>& work, int times) {
    StreamCapture running(stream);
    for (int i = 0; i < times; ++i) work();
    return running.end();
}

}  // namespace

float elapsedMilliseconds(Stream stream, const std::function<void()>& work) {
    const OwnedEvent begin = makeTimedEvent();
    const OwnedEvent end = makeTimedEvent();
    CUDA_CHECK(cudaEventRecord(begin.get(), stream));
    work();
    CUDA_CHECK(cudaEventRecord(end.get(), stream));
    CUDA_CHECK(cudaEventSynchronize(end.get()));
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    return milliseconds;
}

ReplayTimes replayTimes(Stream stream, const std::function<void()>& work, int replays) {
    work();  // loads modules, which is not possible while capturing
    // For a short kernel this is mostly the time that the host takes to enqueue it.
    const float singleTime = elapsedMilliseconds(stream, work);
    const int repeats = std::clamp(
        static_cast<int>(kMinReplayMilliseconds / std::max(singleTime, 1e-3F)), 1, kMaxRepeats);
    const OwnedGraph graph = captureRepeated(stream, work, repeats);
    const OwnedGraphExec exec = instantiate(graph);
    ReplayTimes result;
    CUDA_CHECK(cudaGraphGetNodes(graph.get(), nullptr, &result.nodes));
    result.nodes /= static_cast<std::size_t>(repeats);
    for (int replay = 0; replay < replays; ++replay)
        result.milliseconds.push_back(
            elapsedMilliseconds(stream, [&] { CUDA_CHECK(cudaGraphLaunch(exec.get(), stream)); }) /
            static_cast<float>(repeats));
    std::sort(result.milliseconds.begin(), result.milliseconds.end());
    return result;
}

std::optional<std::size_t> fastestIndex(
    std::size_t candidates, std::size_t maxWorking,
    const std::function<std::optional<float>(std::size_t candidate)>& measure) {
    std::optional<std::size_t> best;
    float bestTime = 0;
    std::size_t worked = 0;
    for (std::size_t candidate = 0; candidate < candidates && worked < maxWorking; ++candidate) {
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

std::optional<float> bestReplayMilliseconds(Stream stream, const std::function<void()>& work) {
    return tryOnDevice([&] { return replayTimes(stream, work, kReplays).milliseconds.front(); });
}

}  // namespace threefold::cuda::library
