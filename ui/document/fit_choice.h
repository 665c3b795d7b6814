#pragma once

#include <string_view>
#include <utility>

#include "engine/pipeline/fit_sample.h"

namespace threefold::ui {

/// Whether results are fitted to photographs, the `chosen` or `all` of the sample's, and from what.
struct FitChoice {
    bool on = false;
    FitViews::Kind views = FitViews::Kind::all;
    FitViews::From from = FitViews::From::usual;
    bool operator==(const FitChoice&) const = default;
};

/// Their names in settings and sessions; in the order of their menus, the usual one first.
inline constexpr std::pair<std::string_view, FitViews::Kind> kFitViewsNames[] = {
    {"all", FitViews::Kind::all}, {"chosen", FitViews::Kind::chosen}};
inline constexpr std::pair<std::string_view, FitViews::From> kFitFromNames[] = {
    {"auto", FitViews::From::usual},
    {"hull", FitViews::From::hull},
    {"network", FitViews::From::network}};

}  // namespace threefold::ui
