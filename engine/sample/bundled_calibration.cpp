#include "engine/sample/bundled_calibration.h"

#include "engine/resources.h"
#include "engine/sample/sample.h"

namespace threefold {

std::vector<NetworkInput> bundledCalibration() {
    std::vector<NetworkInput> inputs;
    for (const auto& folder : listSamples(bundledSamplesFolder())) {
        inputs.push_back(loadViews(findSample(folder), kPublishedViews));
    }
    return inputs;
}

}  // namespace threefold
