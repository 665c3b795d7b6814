#pragma once

namespace threefold::ui {

class MeasuredMeshes;
struct FeatureContext;
struct ShownDocument;

/// Adds File > Export web page…, which writes photographs and meshes of the window, with the
/// colours of the window, as one HTML file in which the meshes can be turned.
void addWebPageExport(const FeatureContext& context, const ShownDocument& shown,
                      const MeasuredMeshes& measured);

}  // namespace threefold::ui
