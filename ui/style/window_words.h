#pragma once

#include <filesystem>
#include <string_view>

#include <QString>

namespace threefold::ui {

/// `text` of the engine, such as an error's remedy, in the window's words: options of the command
/// line become what the window calls them; a sentence with an option it has nothing for is left
/// out.
QString windowWords(std::string_view text);

/// A path, and its last part alone.
inline QString pathText(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}
inline QString fileName(const std::filesystem::path& path) {
    return pathText(path.filename());
}

}  // namespace threefold::ui
