#pragma once

#include <string>
#include <string_view>

#include "cuda/library/convolution_shape.h"

namespace threefold::cuda::library {

/// A convolution's chosen engine as it is kept between runs.
struct StoredPlan {
    FilterForm form = FilterForm::asIs;
    /// cuDNN's own, compiled kernels included: making it anew costs up to a second, reading it a
    /// millisecond. Good for the same GPU, driver and cuDNN alone.
    std::string json;

    bool operator==(const StoredPlan&) const = default;
};

std::string toText(const StoredPlan& plan);  ///< "as-is {…}", "widened {…}"

/// Throws FormatError for anything that toText() does not write. What lies between the braces is
/// left to cuDNN.
StoredPlan storedPlanFrom(std::string_view text);

}  // namespace threefold::cuda::library
