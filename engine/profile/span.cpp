#include "engine/profile/span.h"

#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace threefold {
namespace {

/// In the order of LaneKind.
constexpr std::array<std::string_view, 8> kKindNames = {
    "CPU", "GPU stream", "window", "render", "loader", "network", "finisher", "store"};

}  // namespace

std::string laneName(Lane lane) {
    const bool numbered = lane.kind == LaneKind::gpu || lane.index > 0;
    const std::string_view kind = kKindNames.at(static_cast<std::size_t>(lane.kind));
    return numbered ? fmt::format("{} {}", kind, lane.index + 1) : std::string(kind);
}

}  // namespace threefold
