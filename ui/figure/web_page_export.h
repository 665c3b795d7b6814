#pragma once

namespace threefold::ui {

struct FeatureContext;

/// Adds File > Export web page…, which writes photographs and meshes of the window, with the
/// colours of the window, as one HTML file in which the meshes can be turned.
void addWebPageExport(const FeatureContext& context);

}  // namespace threefold::ui
