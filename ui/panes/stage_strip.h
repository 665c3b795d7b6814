#pragma once

class QBoxLayout;

namespace threefold::ui {

struct FeatureContext;

/// Adds the strip under the panes with the slider of the stages, which sets Look::morphPosition.
void addStageStrip(const FeatureContext& context, QBoxLayout& belowPanes);

}  // namespace threefold::ui
