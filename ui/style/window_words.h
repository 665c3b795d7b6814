#pragma once

#include <filesystem>
#include <string_view>

#include <QString>

namespace threefold::ui {

/// `text` of the engine, such as an error's remedy, with its settings (engine/setting.h) as the
/// window's controls: "(Reconstruct > Device)" for "(`backend=cpu`)".
QString windowWords(std::string_view text);

/// A path, and its last part alone.
inline QString pathText(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}
inline QString fileName(const std::filesystem::path& path) {
    return pathText(path.filename());
}

}  // namespace threefold::ui
