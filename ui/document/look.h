#pragma once

#include <array>

#include <QString>

#include "render/scene.h"

class QSettings;

namespace threefold::ui {

/// How the meshes stand beside each other.
enum class Layout {
    sideBySide,
    wipe,     ///< one pane: left of the seam the first mesh, right of it the second
    overlay,  ///< one pane: the second mesh, translucent, upon the first
};

/// What the surfaces are coloured by.
enum class Quantity {
    none,               ///< plain surface
    distanceToTruth,    ///< of each vertex, object units
    distanceFromTruth,  ///< of each true point, given to the vertex nearest to it: the worst counts
    movement,           ///< coarse → refined, object units
    lastMovement,       ///< refined₁ → refined₂, object units
    normals,            ///< directions, not values
    curvature,          ///< mean curvature, 1 ÷ object unit, positive where convex
    entropy,            ///< of the hypothesis softmax, bits
    level,              ///< 1, 2, 3: the template level (156, 618, 2466) a vertex came with
};

/// Which values get the ends of the colour map.
enum class RangeMode {
    shared,  ///< one range for all panes, from the percentiles of all their values
    fitted,  ///< each pane its own
    manual,  ///< as typed or dragged, for all panes
};

/// The stations of the way from the template to the result: Look::way.
inline constexpr float kWayTemplate = 0, kWayLevel1 = 1, kWayLevel2 = 2, kWayCoarse = 3,
                       kWayRefined1 = 4, kWayRefined = 5;

/// How everything is shown: the user's choice. What makes sense for another sample, too, is kept
/// between runs.
struct Look {
    // Surfaces
    render::Shading shading = render::Shading::smooth;
    bool edges = false;
    render::Lighting lighting = render::Lighting::studio;
    bool occlusion = false;

    // Panes
    Layout layout = Layout::sideBySide;
    bool truthPane = false;   ///< a further pane with the truth
    bool swapped = false;     ///< the second mesh first
    float wipe = 0.5F;        ///< where the seam stands, share of the width
    float opacity = 0.5F;     ///< of the second mesh in an overlay
    float way = kWayRefined;  ///< what the second mesh is: a station, or between two of them

    // Colours
    Quantity quantity = Quantity::distanceToTruth;
    render::ColourMap map = render::ColourMap::inferno;
    render::ValueScale scale = render::ValueScale::linear;
    RangeMode range = RangeMode::shared;
    float percentile = 0.99F;  ///< upper end of a fitted range, share of the values
    float lowest = 0;          ///< of a manual range
    float highest = 0.02F;

    bool operator==(const Look&) const = default;
};

QString quantityName(Quantity quantity);       ///< as in settings and sessions: "distanceToTruth"
QString shadingName(render::Shading shading);  ///< "Smooth", "Flat", "Wireframe", "Points"
inline constexpr std::array kAllShadings{render::Shading::smooth, render::Shading::flat,
                                         render::Shading::wireframe, render::Shading::points};
inline constexpr std::array kAllColourMaps{render::ColourMap::inferno, render::ColourMap::viridis,
                                           render::ColourMap::cividis, render::ColourMap::coolWarm};
inline constexpr std::array kAllQuantities{
    Quantity::none,      Quantity::distanceToTruth, Quantity::distanceFromTruth,
    Quantity::movement,  Quantity::lastMovement,    Quantity::normals,
    Quantity::curvature, Quantity::entropy,         Quantity::level};

/// Unknown or missing settings leave the default.
Look readLook(const QSettings& settings);
void writeLook(QSettings& settings, const Look& look);

}  // namespace threefold::ui
