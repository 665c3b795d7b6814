#pragma once

namespace threefold::ui {

class OpenedFiles;
struct WindowParts;

/// The features that have to do with files: opening, dropping, recent ones, sessions.
OpenedFiles& addFiles(const WindowParts& parts);

}  // namespace threefold::ui
