#pragma once

namespace threefold::ui {

class InputPanel;
class PhotographViewer;
class PhotographsPage;
struct FeatureContext;

/// Adds the commands and the buttons that cut the object out of the photographs: each alone, or all
/// by a mark in one photograph, which the user makes in `viewer`. The row of photographs with a
/// background and the button of the mark stand in the second step of `page`.
void addCutOut(const FeatureContext& context, InputPanel& input, PhotographsPage& page,
               PhotographViewer& viewer);

}  // namespace threefold::ui
