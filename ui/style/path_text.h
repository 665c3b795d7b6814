#pragma once

#include <filesystem>

#include <QString>

namespace threefold::ui {

/// Converts a path to text; its bytes are read as UTF-8.
inline QString pathText(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

/// Last component of a path, as text.
inline QString fileName(const std::filesystem::path& path) {
    return pathText(path.filename());
}

}  // namespace threefold::ui
