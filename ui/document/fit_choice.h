#pragma once

#include "engine/pipeline/fit_sample.h"

namespace threefold::ui {

/// Whether results are fitted to photographs, the `chosen` or `all` of the sample's, and from what.
struct FitChoice {
    bool on = false;
    FitViews::Kind views = FitViews::Kind::all;
    FitViews::From from = FitViews::From::usual;
    bool operator==(const FitChoice&) const = default;
};

}  // namespace threefold::ui
