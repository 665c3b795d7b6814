#pragma once

namespace threefold::ui {

class Viewport;
struct FeatureContext;

/// Adds a command for each slot: look at the meshes from the camera of its photograph.
void addSlotCameras(const FeatureContext& context, Viewport& viewport);

}  // namespace threefold::ui
