#pragma once

namespace threefold::ui {

class InputModel;
class Inspector;
class LiveUpdate;
struct FeatureContext;

/// While opened meshes are shown without a sample: hides the input and the commands of a
/// reconstruction, and shows the meshes' own facts in the inspector. The user may show the input
/// again, to open a sample of the data set.
void addMeshesAlone(const FeatureContext& context, InputModel& input, Inspector& inspector,
                    LiveUpdate& liveUpdate);

}  // namespace threefold::ui
