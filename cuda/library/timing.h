#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "cuda/runtime/stream.h"
#include "engine/network/device_error.h"

namespace threefold::cuda::library {

/// Index of the fastest of `candidates`, by `measure`, which gives milliseconds or, for one that
/// does not work, nothing. They are tried in order until `enough` have worked; of equals the
/// earlier. Nothing when none works.
std::optional<std::size_t> fastest(
    std::size_t candidates, std::size_t enough,
    const std::function<std::optional<float>(std::size_t candidate)>& measure);

/// Milliseconds from before `work`, which enqueues into `stream`, to its end, by events. Waits for
/// it. Throws DeviceError, and what `work` throws.
float elapsed(Stream stream, const std::function<void()>& work);

/// What `work` gives; nothing where it throws DeviceError. DeviceLost and OutOfDeviceMemory pass
/// through.
template <class Work>
auto ifDeviceCan(const Work& work) -> std::optional<decltype(work())> {
    try {
        return work();
    } catch (const DeviceLost&) {
        throw;
    } catch (const OutOfDeviceMemory&) {
        throw;
    } catch (const DeviceError&) {
        return std::nullopt;
    }
}

struct ReplayTimes {
    std::size_t nodes = 0;            ///< of the graph that one `work` becomes
    std::vector<float> milliseconds;  ///< of one `work`, for each replay; ascending
};

/// How long the device takes for one `work`, which only enqueues into `stream`: called twice to
/// warm up, then into a graph, several times in a row if it is short, which is replayed. Blocks the
/// calling thread. Throws DeviceError, and what `work` throws.
ReplayTimes replayTimes(Stream stream, const std::function<void()>& work, int replays);

/// The best of a few replays. Nothing when `work` throws DeviceError or cannot be captured.
/// DeviceLost and OutOfDeviceMemory pass through.
std::optional<float> millisecondsOf(Stream stream, const std::function<void()>& work);

}  // namespace threefold::cuda::library
