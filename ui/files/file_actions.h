#pragma once

namespace threefold::ui {

struct WindowParts;

/// The features that have to do with files: opening, dropping, recent ones, sessions.
void addFiles(const WindowParts& parts);

}  // namespace threefold::ui
