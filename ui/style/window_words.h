#pragma once

#include <string_view>

#include <QString>

namespace threefold::ui {

/// `text` of the engine, such as an error's remedy, in the window's words: options of the command
/// line become what the window calls them; a sentence with an option it has nothing for is left
/// out.
QString windowWords(std::string_view text);

}  // namespace threefold::ui
