#pragma once

#include <string>
#include <vector>

#include "app/options/model_options.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "engine/views/network_input.h"

namespace threefold {

/// A sample to work on.
struct NamedSample {
    std::string name;         ///< for findSample()
    std::string listed = {};  ///< where a list names it: "list.txt, line 3"; empty: no list does
};

/// The samples to work on, test lists (*.txt) replaced by their lines. Throws IoError (a list that
/// cannot be read), InputError (nothing left to do).
std::vector<NamedSample> expandSamples(const std::vector<std::string>& given);

/// findSample() with the sample as the location of the request. Throws the same; where a list names
/// the sample, an InputError names the list and the line.
Sample findNamed(const NamedSample& sample, SampleRequest request);

/// The samples of --calibrate, decoded; empty where none is given. Throws what reading them throws.
std::vector<NetworkInput> calibrationSamples(const ModelOptions& options);

}  // namespace threefold
