#pragma once

#include <string_view>

/// Every quantity, in the order of the menus. Each entry names three things: an enumerator of
/// Quantity, the quantity in sessions and settings, and the function in namespace quantity that
/// returns the QuantityInfo.
// clang-format off
#define THREEFOLD_QUANTITIES(entry) \
    entry(none)                     \
    entry(distanceToTruth)          \
    entry(signedDistance)           \
    entry(distanceFromTruth)        \
    entry(movement)                 \
    entry(lastMovement)             \
    entry(normals)                  \
    entry(curvature)                \
    entry(entropy)                  \
    entry(fileValues)               \
    entry(ownColours)               \
    entry(photographs)
// clang-format on

namespace threefold::ui {

#define THREEFOLD_ENUMERATOR(id) id,
#define THREEFOLD_LISTED(id) Quantity::id,
#define THREEFOLD_WORD(id) #id,

/// Quantity that colours the surfaces.
enum class Quantity { THREEFOLD_QUANTITIES(THREEFOLD_ENUMERATOR) };
inline constexpr Quantity kAllQuantities[] = {THREEFOLD_QUANTITIES(THREEFOLD_LISTED)};

/// Names of Look's enumerators in sessions, settings and threefold.toml, in the order of each
/// enumeration. This header is free of Qt: the configuration needs the names without a window.
inline constexpr std::string_view kShadingWords[] = {"smooth", "flat", "wireframe", "points"};
inline constexpr std::string_view kLightingWords[] = {"studio", "matcap", "fixed"};
inline constexpr std::string_view kLayoutWords[] = {"sideBySide", "wipe", "overlay"};
inline constexpr std::string_view kMapWords[] = {"viridis", "inferno", "cividis", "cool-warm"};
inline constexpr std::string_view kScaleWords[] = {"linear", "logarithmic"};
/// "fitted" stands for RangeMode::perPane, as it did in version 0.1.
inline constexpr std::string_view kRangeWords[] = {"shared", "fitted", "manual"};
inline constexpr std::string_view kQuantityWords[] = {THREEFOLD_QUANTITIES(THREEFOLD_WORD)};

#undef THREEFOLD_ENUMERATOR
#undef THREEFOLD_LISTED
#undef THREEFOLD_WORD

}  // namespace threefold::ui
