#pragma once

namespace threefold::ui {

class MeasuredMeshes;
class ResultHistory;
struct FeatureContext;
struct ShownDocument;

/// Adds File > Export figure…: draws the pinned results, or else all of `history`, like `threefold
/// figure`, with the look of the window. `history` must outlive the window's actions.
void addFigureExport(const FeatureContext& context, const ResultHistory& history);
/// Adds File > Export web page…: writes the window's meshes, with the colours of the window, as one
/// HTML file in which they can be turned.
void addWebPageExport(const FeatureContext& context, const ShownDocument& shown,
                      const MeasuredMeshes& measured);

}  // namespace threefold::ui
