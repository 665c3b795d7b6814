#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <QSettings>
#include <QString>

#include "render/scene.h"
#include "ui/results/look_words.h"
#include "ui/results/mesh_id.h"

namespace threefold::ui {

/// Layout of the panes, and of the meshes in them.
enum class PaneLayout {
    sideBySide,
    wipe,     ///< one pane: the first mesh left of the seam, the second right of the seam
    overlay,  ///< one pane: the second mesh, translucent, upon the first
};

/// Directions along the axes of ShapeNet's world (y up) to look from.
enum class StandardView { front, right, top, back, left, bottom };

/// Colour range: the values at the ends of the colour map.
enum class RangeMode {
    shared,   ///< one range for all panes, from the percentiles of their values together
    perPane,  ///< one range for each pane, from its own values
    custom,   ///< typed or dragged by the user, for all panes
};

inline constexpr std::size_t kMaxPanes = 6;

/// Look::morphPosition of the network's result, and of the mesh fitted to photographs.
inline constexpr float kMorphResult = 0, kMorphFitted = 1;

/// The user's display settings. lookFields() tells where each field is saved.
struct Look {
    // Surfaces
    render::Shading shading = render::Shading::smooth;
    bool edges = false;
    render::Lighting lighting = render::Lighting::studio;
    bool ambientOcclusion = false;
    bool backfaces = false;  ///< tints faces seen from behind
    bool axes = false;       ///< axes in a corner of each pane
    bool ground = false;     ///< a grid below the meshes
    bool zUp = false;        ///< z is up for meshes without a result
    bool cameras = false;    ///< a pyramid for the camera of each photograph
    bool backdrop = false;   ///< the photograph behind meshes that are seen from its camera
    /// Colours 0xRRGGBB of meshes without values, and of the background; none: the theme's.
    std::optional<std::uint32_t> surfaceColour = {};
    std::optional<std::uint32_t> backgroundColour = {};

    // Panes
    PaneLayout paneLayout = PaneLayout::sideBySide;
    /// Meshes of the panes from left to right if the user chose them, at most kMaxPanes. Empty: the
    /// default meshes. Saved in sessions only.
    std::vector<MeshId> panes = {};
    bool truthPane = false;     ///< a further pane with the truth
    bool swapped = false;       ///< swaps the first two meshes
    float seamPosition = 0.5F;  ///< position of the seam, fraction of the width
    float opacity = 0.5F;       ///< of the second mesh in an overlay
    /// Value of the stage slider. 0: the network's result, 1: the fitted mesh, −k: the k-th stage
    /// before the result; fractions morph between two stages.
    float morphPosition = kMorphResult;

    // Colours
    Quantity quantity = Quantity::distanceToTruth;
    /// Name of the values that Quantity::fileValues shows; see Document::fileValues(). Saved in
    /// sessions only.
    std::string fileValues = {};
    render::ColourMap map = render::ColourMap::viridis;
    render::ValueScale scale = render::ValueScale::linear;
    RangeMode range = RangeMode::shared;
    float upperQuantile = 0.99F;  ///< 0…1: quantile at which an automatic range ends
    float rangeMin = 0;           ///< of a custom or kept range
    float rangeMax = 0.02F;
    bool keepRange = false;  ///< keeps `rangeMin` and `rangeMax` for new results

    /// Whether `rangeMin` and `rangeMax` are the colour range, whatever the values.
    bool hasCustomOrKeptRange() const { return range == RangeMode::custom || keepRange; }
    /// Whether each pane has a colour range of its own.
    bool hasPaneRanges() const { return range == RangeMode::perPane && !keepRange; }
    /// Morph position of the result's pane. The position ends at the network's result if the fitted
    /// mesh has a pane of its own: in PaneLayout::sideBySide, or if it is chosen for a pane.
    float shownPosition() const {
        const bool ownPane = paneLayout == PaneLayout::sideBySide ||
                             std::ranges::find(panes, MeshId::fitted) != panes.end();
        return ownPane ? std::min(morphPosition, kMorphResult) : morphPosition;
    }

    bool operator==(const Look&) const = default;
};

/// A Look value in files: a bool, a number, or a word of an enumeration.
using LookValue = std::variant<bool, float, std::string_view>;

/// A field of Look as saved in files.
struct LookField {
    const char* sessionKey;   ///< key in sessions and, after "window.", in threefold.toml
    const char* settingsKey;  ///< in QSettings; null: not saved there
    LookValue (*get)(const Look& look);
    /// `value` must be of the type that get() returns; an unknown word changes nothing.
    void (*set)(Look& look, const LookValue& value);
    std::span<const std::string_view> enumWords = {};  ///< of an enumeration; else empty
    double min = 0;                                    ///< range of a number
    double max = 0;
};
/// All saved fields but `panes` and `fileValues`, in the order of a session file.
const std::vector<LookField>& lookFields();

/// Sets fields by name and word: "map" to "viridis", "edges" to "true", "surface" to a number.
/// Ignores unknown names and words, numbers out of range, and numbers that only sessions save
/// (settingsKey is null).
void applyWords(Look& look, const std::map<std::string, std::string>& words);

QString shadingName(render::Shading shading);  ///< translated: "Smooth", "Flat", …
inline constexpr std::array kAllShadings{render::Shading::smooth, render::Shading::flat,
                                         render::Shading::wireframe, render::Shading::points};

/// Reads a look; unknown or missing settings leave the default.
Look readLook(const QSettings& settings);
/// Writes only changed values: QSettings rewrites its file for every value that is set.
void writeLook(QSettings& settings, const Look& look);

/// The look with another quantity. Resets a custom or kept range, which belongs to the old
/// quantity.
Look withQuantity(Look look, Quantity quantity);

}  // namespace threefold::ui
