#pragma once

class QBoxLayout;

namespace threefold::ui {

class InputPanel;
struct FeatureContext;

/// Adds the command and the button that cut the object out of the photographs. `masks`: the step
/// "masks" of the page of photographs.
void addCutOut(const FeatureContext& context, InputPanel& input, QBoxLayout& masks);

}  // namespace threefold::ui
