#pragma once

namespace threefold::ui {

class ResultHistory;
struct FeatureContext;

/// Adds File > Export figure…: draws the pinned results, or else all of `history`, like `threefold
/// figure`, with the look of the window. `history` must outlive the window's actions.
void addFigureExport(const FeatureContext& context, const ResultHistory& history);

}  // namespace threefold::ui
