#pragma once

namespace threefold::ui {

class InputPanel;
class PhotographViewer;
class PhotographsPage;
struct FeatureContext;

/// Adds the commands and the buttons that cut the object out of the photographs: out of each alone,
/// or out of all by a mark that the user makes in one photograph in `viewer`. The row that counts
/// the photographs with a background, and the button for the mark, are in the second step of
/// `page`.
void addCutOut(const FeatureContext& context, InputPanel& input, PhotographsPage& page,
               PhotographViewer& viewer);

}  // namespace threefold::ui
