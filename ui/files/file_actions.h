#pragma once

namespace threefold::ui {

class ModelMenu;
class OpenedFiles;
struct WindowParts;

/// The features that have to do with files: opening, dropping, recent ones, sessions. `models` must
/// outlive them.
OpenedFiles& addFiles(const WindowParts& parts, ModelMenu& models);

}  // namespace threefold::ui
