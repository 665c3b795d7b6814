#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// Settings that the engine names in its messages, in backquotes and mostly in brackets after a
/// sentence that is complete without: "Use the processor (`backend=cpu`)." Each front end puts its
/// own name for the setting there: an option, a control, a keyword.
inline constexpr std::array<std::string_view, 29> kSettings = {
    "allow_outside", "as_is",     "azimuth", "backend",   "complete_template",
    "device",        "distance",  "dtype",   "elevation", "fit",
    "focal_mm35",    "gt_space",  "images",  "kernels",   "object_centre",
    "object_size",   "object_up", "output",  "overwrite", "points",
    "precision",     "protocol",  "resume",  "shard",     "size",
    "step",          "threads",   "turn_by", "views",
};

/// One setting in a message.
struct NamedSetting {
    std::string_view name;   ///< one of kSettings
    std::string_view value;  ///< empty where only the setting is named
};

/// A front end's name for a setting; nullopt where the front end has none.
using SettingWords = std::function<std::optional<std::string>(const NamedSetting&)>;

/// `message` with each setting in it replaced by the words of a front end.
///
/// Without words, a setting in brackets goes with its brackets and the space before them; any other
/// stays as its bare name. Text in backquotes that names no setting stays as it is.
std::string withSettingWords(std::string_view message, const SettingWords& words);

}  // namespace threefold
