#pragma once

/// Every quantity, in the order of the menus: an enumerator of Quantity, its name in sessions and
/// settings, and the function in namespace quantity that describes it (see QuantityInfo).
// clang-format off
#define THREEFOLD_QUANTITIES(entry) \
    entry(none)                     \
    entry(distanceToTruth)          \
    entry(distanceFromTruth)        \
    entry(movement)                 \
    entry(lastMovement)             \
    entry(normals)                  \
    entry(curvature)                \
    entry(entropy)                  \
    entry(ownColours)               \
    entry(photographs)
// clang-format on

namespace threefold::ui {

#define THREEFOLD_ENUMERATOR(id) id,
#define THREEFOLD_LISTED(id) Quantity::id,

/// What the surfaces are coloured by.
enum class Quantity { THREEFOLD_QUANTITIES(THREEFOLD_ENUMERATOR) };
inline constexpr Quantity kAllQuantities[] = {THREEFOLD_QUANTITIES(THREEFOLD_LISTED)};

#undef THREEFOLD_ENUMERATOR
#undef THREEFOLD_LISTED

}  // namespace threefold::ui
