#include "cuda/backend/time_steps.h"

#include <string>
#include <string_view>

#include "cuda/library/timing.h"
#include "engine/error.h"

namespace threefold::cuda {

void timeSteps(DeviceNetwork& network, const StreamContexts& contexts,
               std::span<const NetworkInput> inputs, int replays,
               const std::function<void(const GpuStep&)>& report, const std::stop_token& cancel) {
    NetworkHooks hooks;
    hooks.onStep = [&](std::string_view runStep, const library::Operation& step,
                       cudaStream_t stream, const std::function<void()>& work) {
        if (cancel.stop_requested()) throw Cancelled();
        contexts.waitForCompute();
        const library::ReplayTimes times = library::replayTimes(stream, work, replays);
        report({std::string(runStep), step.name, times.nodes, step.bytes, step.flop,
                times.milliseconds[times.milliseconds.size() / 2]});
    };
    network.run(inputs, hooks);
}

}  // namespace threefold::cuda
