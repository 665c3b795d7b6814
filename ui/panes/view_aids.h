#pragma once

namespace threefold::ui {

class CameraLayers;
class Viewport;
struct FeatureContext;

/// Adds the commands for axes, ground, cameras, lights and other aids of the panes.
void addViewAids(const FeatureContext& context, Viewport& viewport, const CameraLayers& layers);

}  // namespace threefold::ui
