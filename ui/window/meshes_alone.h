#pragma once

namespace threefold::ui {

class Inspector;
class LiveUpdate;
struct FeatureContext;

/// Adds the feature that hides the input and the commands of a reconstruction while opened meshes
/// are shown without a sample, and shows the meshes' own facts in the inspector. The user may show
/// the input again, to open a sample of the data set.
void addMeshesAlone(const FeatureContext& context, Inspector& inspector, LiveUpdate& liveUpdate);

}  // namespace threefold::ui
