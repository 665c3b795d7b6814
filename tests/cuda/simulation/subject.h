#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/model.h"
#include "tests/cuda/simulation/network.h"

namespace threefold::cuda::simulation {

/// A bundled sample with its truth, and the bundled weights with a sampler.
struct Subject {
    std::string name;      ///< "plane_each": the sample and the sampler
    std::string location;  ///< within the bundled samples
    SamplerKind sampler;

    std::shared_ptr<const Model> model() const;
    NetworkInput input() const;  ///< views 0, 6 and 7
    Points truth() const;
};

/// Those of tests/golden, and the car with the sampler of the bundled weights.
const std::vector<Subject>& subjects();

/// From all bundled samples with the subject's sampler, as the plug-in does it where nothing else
/// is asked for. `network` is the subject's own.
Calibration bundledCalibration(const Subject& subject, Network& network);

}  // namespace threefold::cuda::simulation
