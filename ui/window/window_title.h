#pragma once

namespace threefold::ui {

struct FeatureContext;

/// Keeps the window's title up to date: the open sample and its views, or the opened meshes.
void addWindowTitle(const FeatureContext& context);

}  // namespace threefold::ui
