#pragma once

namespace threefold::ui {

struct FeatureContext;

/// Shows in the window's title what is open: the sample and its views, or the opened meshes.
void addWindowTitle(const FeatureContext& context);

}  // namespace threefold::ui
