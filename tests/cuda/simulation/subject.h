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

/// Those of tests/golden, on which devices are compared: another one may lie close to where the
/// sampler jumps, and its figures would let a defect pass. Ask before anything is computed: oneDNN
/// then adds up in AVX2's order, which gives the figures of the table on every processor, unless
/// ONEDNN_MAX_CPU_ISA says another one.
const std::vector<Subject>& subjects();

/// Those of other views on which float16 and float32 lie furthest from where they should.
const std::vector<Subject>& subjectsOfOtherViews();

/// From all bundled samples with the subject's sampler, as the plug-in does it where nothing else
/// is asked for. `network` is the subject's own.
Calibration bundledCalibration(const Subject& subject, Network& network);

}  // namespace threefold::cuda::simulation
