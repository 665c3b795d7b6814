#pragma once

#include <string_view>

#include <QString>

namespace threefold::ui {

/// Rewrites the settings (engine/setting.h) in a text of the engine, such as an error's remedy, to
/// the window's controls: "(`backend=cpu`)" becomes "(Reconstruct > Device)".
QString withControlNames(std::string_view text);

}  // namespace threefold::ui
