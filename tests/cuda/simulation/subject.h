#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "engine/mesh.h"
#include "engine/model/model.h"
#include "engine/sample/sample.h"
#include "tests/cuda/simulation/network.h"

namespace threefold::cuda::simulation {

/// A bundled sample with its truth, and the bundled weights with a sampler.
struct Subject {
    std::string name;      ///< "plane_each": the sample and the sampler
    std::string location;  ///< within the bundled samples
    SamplerKind sampler;
    std::vector<int> views = kPublishedViews;

    std::shared_ptr<const Model> model() const;
    NetworkInput input() const;
    Points truth() const;  ///< in the space of the first view

    friend void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }
};

/// Subjects of tests/golden, on which devices are compared. With another subject, close to the
/// sampler's discontinuities, the limits would be so wide that a defect would pass. Call subjects()
/// before anything is computed: unless ONEDNN_MAX_CPU_ISA is set, the first call sets oneDNN to the
/// summation order of AVX2, which gives the table's values on every processor.
const std::vector<Subject>& subjects();

/// Subjects with other views, on which the deviations of float16 and float32 are largest.
const std::vector<Subject>& subjectsOfOtherViews();

/// Calibrates on all bundled samples with the subject's sampler, as the plug-in does by default.
/// `network` is the subject's network.
Calibration bundledCalibration(const Subject& subject, Network& network);

}  // namespace threefold::cuda::simulation
