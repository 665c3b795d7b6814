#pragma once

namespace threefold::ui {

class Inspector;
class MeasuredMeshes;
struct FeatureContext;

/// Adds the feature that measures the meshes for the inspector, and copies and exports the table.
void addMeasures(const FeatureContext& context, Inspector& inspector, MeasuredMeshes& measured);

}  // namespace threefold::ui
