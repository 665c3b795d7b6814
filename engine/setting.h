#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace threefold {

/// Settings in the engine's messages. A message quotes them in backquotes, mostly in brackets after
/// a complete sentence: "Use the processor (`backend=cpu`)." Each front end substitutes its own
/// name of the setting: an option, a control, a keyword. A test compares these names with the rows
/// of settings.inl.
inline constexpr std::array<std::string_view, 29> kSettings = {
    "allow_outside", "as_is",     "azimuth", "backend",   "complete_template",
    "device",        "distance",  "dtype",   "elevation", "fit",
    "focal_mm35",    "gt_space",  "images",  "kernels",   "object_centre",
    "object_size",   "object_up", "output",  "overwrite", "points",
    "precision",     "protocol",  "resume",  "shard",     "size",
    "step",          "threads",   "turn_by", "views",
};

/// Name of the check of this machine, which messages quote as they do settings: "Check this machine
/// (`doctor`)."
inline constexpr std::string_view kMachineCheck = "doctor";

/// One setting in a message.
struct SettingReference {
    std::string_view name;   ///< one of kSettings, or kMachineCheck
    std::string_view value;  ///< empty if the message gives no value
};

/// A front end's name for a setting; nullopt if it has none.
using SettingNames = std::function<std::optional<std::string>(const SettingReference&)>;

/// Replaces each setting in `message` by a front end's name for it.
///
/// Without such a name, a setting in brackets is removed with its brackets and the space before
/// them; any other setting becomes its bare name. Other text in backquotes stays unchanged, also
/// backquotes within the name of a file.
std::string substituteSettingNames(std::string_view message, const SettingNames& names);

}  // namespace threefold
