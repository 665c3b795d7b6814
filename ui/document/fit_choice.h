#pragma once

#include "engine/pipeline/fit_sample.h"

namespace threefold::ui {

/// Whether results are fitted to photographs, and to which of the sample's: `chosen` or `all`.
struct FitChoice {
    bool on = false;
    FitViews::Kind views = FitViews::Kind::all;
    bool operator==(const FitChoice&) const = default;
};

}  // namespace threefold::ui
