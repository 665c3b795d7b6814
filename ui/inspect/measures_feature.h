#pragma once

namespace threefold::ui {

class Inspector;
struct FeatureContext;

/// Adds the feature that shows the measures of the meshes in the inspector, and copies and exports
/// their table.
void addMeasures(const FeatureContext& context, Inspector& inspector);

}  // namespace threefold::ui
