#pragma once

namespace threefold::ui {

class NetworkClient;
class StatusLine;

/// Adds a status bar label that says why an available GPU is not used. The label is hidden if a GPU
/// is in use, if there is no GPU, and if another device was chosen.
void addUnusedGpu(StatusLine& status, NetworkClient& client);

}  // namespace threefold::ui
