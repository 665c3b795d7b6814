#include "app/options/calibration_samples.h"

#include "app/options/sample_list.h"
#include "engine/sample/sample.h"

namespace threefold {

std::vector<NetworkInput> calibrationSamples(const ModelOptions& options) {
    std::vector<NetworkInput> inputs;
    if (options.calibration.empty()) return inputs;
    for (const NamedSample& named : expandSamples(options.calibration)) {
        const Sample sample = findNamed(named, {{}, options.calibrationImages});
        inputs.push_back(loadViews(sample, kPublishedViews));
    }
    return inputs;
}

}  // namespace threefold
