#pragma once

namespace threefold::ui {

class ResultHistory;
struct FeatureContext;

/// Adds File > Export figure…, which draws the pinned results, or all of `history` if none is
/// pinned, like `threefold figure` and with the look of the window. `history` must outlive the
/// window's actions.
void addFigureExport(const FeatureContext& context, const ResultHistory& history);

}  // namespace threefold::ui
