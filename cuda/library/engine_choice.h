#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuda/library/convolution_shape.h"

namespace threefold::cuda::library {

/// Which engine of cuDNN runs a convolution, and how it is set.
struct EngineChoice {
    FilterForm form = FilterForm::asIs;
    std::int64_t engine = 0;                                   ///< global index
    std::vector<std::pair<std::int64_t, std::int64_t>> knobs;  ///< type, value

    bool operator==(const EngineChoice&) const = default;
};

std::string toText(const EngineChoice& choice);  ///< "as-is engine 7 knobs 24=26 13=1"

/// Throws FormatError for anything that toText() does not write.
EngineChoice engineChoiceFrom(std::string_view text);

}  // namespace threefold::cuda::library
