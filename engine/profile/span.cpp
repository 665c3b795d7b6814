#include "engine/profile/span.h"

#include <string_view>

#include <fmt/format.h>

namespace threefold {
namespace {

std::string_view kindName(LaneKind kind) {
    switch (kind) {
        case LaneKind::processor:
            return "CPU";
        case LaneKind::gpu:
            return "GPU stream";
        case LaneKind::window:
            return "window";
        case LaneKind::render:
            return "render";
        case LaneKind::loader:
            return "loader";
        case LaneKind::network:
            return "network";
        case LaneKind::finisher:
            return "finisher";
        case LaneKind::store:
            break;
    }
    return "store";
}

}  // namespace

std::string laneName(Lane lane) {
    const bool numbered = lane.kind == LaneKind::gpu || lane.index > 0;
    const std::string_view kind = kindName(lane.kind);
    return numbered ? fmt::format("{} {}", kind, lane.index + 1) : std::string(kind);
}

}  // namespace threefold
