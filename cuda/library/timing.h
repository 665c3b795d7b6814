#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "cuda/runtime/stream.h"
#include "engine/devices/device_error.h"

namespace threefold::cuda::library {

/// Index of the fastest of `candidates`; the earlier of equals; nullopt if none works. Calls
/// `measure` in order until `maxWorking` candidates have worked. `measure`: milliseconds, or
/// nullopt for a candidate that does not work.
std::optional<std::size_t> fastestIndex(
    std::size_t candidates, std::size_t maxWorking,
    const std::function<std::optional<float>(std::size_t candidate)>& measure);

/// Milliseconds that `work`, which enqueues into `stream`, takes on the device, by events. Waits
/// for the end of the work. Throws DeviceError and exceptions of `work`.
float elapsedMilliseconds(Stream stream, const std::function<void()>& work);

/// Result of `work`; nullopt if it throws DeviceError. DeviceLost and OutOfDeviceMemory pass
/// through.
template <class Work>
auto tryOnDevice(const Work& work) -> std::optional<decltype(work())> {
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

/// Result of replayTimes().
struct ReplayTimes {
    std::size_t nodes = 0;            ///< graph nodes of one `work`
    std::vector<float> milliseconds;  ///< time of one `work`, per replay; ascending
};

/// Device times of `work`, which only enqueues into `stream`. Calls `work` twice to warm up, then
/// captures it into a graph, several times in a row if it is short, and replays the graph.
/// Blocks the calling thread. Throws DeviceError and exceptions of `work`.
ReplayTimes replayTimes(Stream stream, const std::function<void()>& work, int replays);

/// Best time of a few replays, in milliseconds. nullopt if `work` throws DeviceError or cannot be
/// captured. DeviceLost and OutOfDeviceMemory pass through.
std::optional<float> bestReplayMilliseconds(Stream stream, const std::function<void()>& work);

}  // namespace threefold::cuda::library
