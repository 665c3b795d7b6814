#pragma once

#include <filesystem>
#include <string_view>

#include <QString>

namespace threefold::ui {

/// Rewrites the settings (engine/setting.h) in a text of the engine, such as an error's remedy, to
/// the window's controls: "(`backend=cpu`)" becomes "(Reconstruct > Device)".
QString withControlNames(std::string_view text);

/// A path as text, and its last component.
inline QString pathText(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}
inline QString fileName(const std::filesystem::path& path) {
    return pathText(path.filename());
}

}  // namespace threefold::ui
