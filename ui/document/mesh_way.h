#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/network/reconstruction.h"
#include "engine/views/camera.h"
#include "render/scene.h"
#include "ui/document/look.h"

namespace threefold::ui {

struct Result;

/// Template, level 1, level 2, coarse, refined₁, refined: kWayTemplate … kWayRefined.
inline constexpr std::size_t kWayStations = 6;

/// The meshes from the template to the result, in world space, and what lies between them.
struct MeshWay {
    /// Each with its own faces; null where the reconstruction does not have it.
    std::array<render::SceneMeshRef, kWayStations> stations;
    /// Each station brought to the faces of the next one by the template's unpooling: it looks just
    /// the same, and from there every vertex goes straight to its place in the next station. Null
    /// where that one or this one is missing; the same object where the faces are the same.
    std::array<render::SceneMeshRef, kWayStations - 1> departures;
    /// What unpooling appends on the way from a station to the next; empty where nothing.
    std::array<std::vector<glm::u32vec2>, kWayStations - 1> edges;
};

/// `camera`: that of the reference view.
MeshWay makeMeshWay(const Reconstruction& reconstruction, const Camera& camera);

/// The first station that this result has: kWayTemplate, or kWayCoarse where the backend does not
/// tell of the template.
float firstWay(const Result& result);

/// The mesh at this place of the way (Look::way, clamped to what there is). At a station that
/// station's own object, always the same; between two one with the next one's faces, the same as
/// long as no other place is asked for. Null where the result has no mesh. Thread-safe, far below a
/// millisecond.
render::SceneMeshRef meshOnWay(const Result& result, float way);

/// A place on the way: at station `from`, or `share` (above 0, below 1) of the way to the next.
struct WayPlace {
    std::size_t from = 0;
    float share = 0;
    bool operator==(const WayPlace&) const = default;
};
WayPlace placeOnWay(const Result& result, float way);

}  // namespace threefold::ui
