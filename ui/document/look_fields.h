#pragma once

#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ui/document/look.h"

namespace threefold::ui {

/// A value of an enumeration, and its name in sessions and settings.
template <class Value>
using Named = std::pair<std::string_view, Value>;

inline constexpr Named<render::Shading> kShadingNames[] = {
    {"smooth", render::Shading::smooth},
    {"flat", render::Shading::flat},
    {"wireframe", render::Shading::wireframe},
    {"points", render::Shading::points}};
inline constexpr Named<render::Lighting> kLightingNames[] = {{"studio", render::Lighting::studio},
                                                             {"matcap", render::Lighting::matcap}};
inline constexpr Named<Layout> kLayoutNames[] = {
    {"sideBySide", Layout::sideBySide}, {"wipe", Layout::wipe}, {"overlay", Layout::overlay}};
#define THREEFOLD_NAMED(id) {#id, Quantity::id},
inline constexpr Named<Quantity> kQuantityNames[] = {THREEFOLD_QUANTITIES(THREEFOLD_NAMED)};
#undef THREEFOLD_NAMED
inline constexpr Named<render::ColourMap> kMapNames[] = {
    {"inferno", render::ColourMap::inferno},
    {"viridis", render::ColourMap::viridis},
    {"cividis", render::ColourMap::cividis},
    {"cool-warm", render::ColourMap::coolWarm}};
inline constexpr Named<render::ValueScale> kScaleNames[] = {
    {"linear", render::ValueScale::linear}, {"logarithmic", render::ValueScale::logarithmic}};
inline constexpr Named<RangeMode> kRangeNames[] = {
    {"shared", RangeMode::shared}, {"fitted", RangeMode::fitted}, {"manual", RangeMode::manual}};

/// How a field of Look is called in files.
struct LookKey {
    const char* session;
    const char* settings = nullptr;  ///< null: not kept between runs
};

/// Calls `visit` for every field of a Look, in the order of a session: with its key, the field, and
/// the names of an enumeration or the ends of a number's range.
template <class AnyLook, class Visit>
void visitLook(AnyLook& look, const Visit& visit) {
    constexpr double kFar = 1e9;
    visit(LookKey{"shading", "view/shading"}, look.shading, kShadingNames);
    visit(LookKey{"edges", "view/edges"}, look.edges);
    visit(LookKey{"lighting", "view/matcap"}, look.lighting, kLightingNames);
    visit(LookKey{"occlusion", "view/occlusion"}, look.occlusion);
    visit(LookKey{"backfaces", "view/backfaces"}, look.backfaces);
    visit(LookKey{"axes", "view/axes"}, look.axes);
    visit(LookKey{"ground", "view/ground"}, look.ground);
    visit(LookKey{"layout"}, look.layout, kLayoutNames);
    visit(LookKey{"truthPane"}, look.truthPane);
    visit(LookKey{"swapped"}, look.swapped);
    visit(LookKey{"wipe"}, look.wipe, 0.0, 1.0);
    visit(LookKey{"opacity"}, look.opacity, 0.0, 1.0);
    visit(LookKey{"way"}, look.morphPosition, double{kMorphTemplate}, double{kMorphFitted});
    visit(LookKey{"quantity", "view/quantity"}, look.quantity, kQuantityNames);
    visit(LookKey{"map", "view/colourMap"}, look.map, kMapNames);
    visit(LookKey{"scale"}, look.scale, kScaleNames);
    visit(LookKey{"range"}, look.range, kRangeNames);
    visit(LookKey{"percentile"}, look.percentile, 0.0, 1.0);
    visit(LookKey{"lowest"}, look.lowest, -kFar, kFar);
    visit(LookKey{"highest"}, look.highest, -kFar, kFar);
    visit(LookKey{"keepRange"}, look.keepRange);
}

/// The name of `value` in such a table.
template <class Value>
std::string_view nameIn(std::span<const Named<Value>> names, std::type_identity_t<Value> value) {
    for (const auto& [name, each] : names) {
        if (each == value) return name;
    }
    return names.front().first;
}

}  // namespace threefold::ui
