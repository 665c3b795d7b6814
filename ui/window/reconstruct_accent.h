#pragma once

namespace threefold::ui {

struct FeatureContext;

/// Accents the button Reconstruct only while nothing is being reconstructed, and the input differs
/// from the shown result's input and has known cameras; cameras of photographs have to be found
/// first. Also keeps RunModel::showsAnotherSample() up to date.
void addReconstructAccent(const FeatureContext& context);

}  // namespace threefold::ui
