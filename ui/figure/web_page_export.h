#pragma once

namespace threefold::ui {

class MeasuredMeshes;
struct FeatureContext;
struct ShownDocument;

/// Adds File > Export web page…: writes the window's meshes, with the colours of the window, as one
/// HTML file in which they can be turned.
void addWebPageExport(const FeatureContext& context, const ShownDocument& shown,
                      const MeasuredMeshes& measured);

}  // namespace threefold::ui
