#pragma once

class QBoxLayout;

namespace threefold::ui {

class InputPanel;
class PhotographViewer;
struct FeatureContext;

/// Adds the commands and the buttons that cut the object out of the photographs: each alone, or all
/// by a mark in one photograph, which the user makes in `viewer`. `masks`: the step "masks" of the
/// page of photographs.
void addCutOut(const FeatureContext& context, InputPanel& input, QBoxLayout& masks,
               PhotographViewer& viewer);

}  // namespace threefold::ui
