#pragma once

#include <string_view>

#include "ui/document/quantity_list.h"

/// The values of a look's enumerations as sessions, settings and threefold.toml name them, each
/// list in the order of its enumeration but for the maps. Without Qt: the configuration needs them
/// where there is no window.
namespace threefold::ui {

inline constexpr std::string_view kShadingWords[] = {"smooth", "flat", "wireframe", "points"};
inline constexpr std::string_view kLightingWords[] = {"studio", "matcap", "fixed"};
inline constexpr std::string_view kLayoutWords[] = {"sideBySide", "wipe", "overlay"};
inline constexpr std::string_view kMapWords[] = {"inferno", "viridis", "cividis", "cool-warm"};
inline constexpr std::string_view kScaleWords[] = {"linear", "logarithmic"};
inline constexpr std::string_view kRangeWords[] = {"shared", "fitted", "manual"};
#define THREEFOLD_WORD(id) #id,
inline constexpr std::string_view kQuantityWords[] = {THREEFOLD_QUANTITIES(THREEFOLD_WORD)};
#undef THREEFOLD_WORD

}  // namespace threefold::ui
