#pragma once

namespace threefold::ui {

class NetworkClient;
class Viewport;
struct FeatureContext;

/// Adds Help > About: version, licence, citation, network and renderer.
void addAbout(const FeatureContext& context, Viewport& viewport, NetworkClient& client);

}  // namespace threefold::ui
