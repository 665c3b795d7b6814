#pragma once

#include <string>
#include <vector>

#include "engine/pipeline/reconstruct_sample.h"

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

}  // namespace threefold
