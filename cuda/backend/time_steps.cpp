#include "cuda/backend/time_steps.h"

#include <string>
#include <string_view>

#include "cuda/backend/device_resources.h"
#include "cuda/backend/network_factory.h"
#include "cuda/library/timing.h"
#include "engine/error.h"

namespace threefold::cuda {

void timeNetworkSteps(DeviceNetwork& network, const StreamContexts& contexts,
                      std::span<const NetworkInput> inputs, int replays,
                      const std::function<void(const CapturedStep&)>& report,
                      const std::stop_token& cancel) {
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

void timeSteps(const std::shared_ptr<const Model>& model, const CudaOptions& options,
               std::span<const NetworkInput> inputs, int replays,
               const std::function<void(const CapturedStep&)>& report,
               const std::stop_token& cancel) {
    if (inputs.empty())
        throw InputError({"network", "", "has no input to time", "Give at least one input."});
    for (const NetworkInput& input : inputs) requireValidInput(input);
    DeviceResources resources(model, options);
    NetworkFactory networks(resources);
    resources.logChoice();
    const std::unique_ptr<DeviceNetwork> network =
        networks.make({.batch = inputs.size(),
                       .views = inputs.front().images.size(),
                       .maxImagePixels = slotPixels(inputs)});
    timeNetworkSteps(*network, resources.contexts, inputs, replays, report, cancel);
}

}  // namespace threefold::cuda
