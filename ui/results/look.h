#pragma once

#include <array>
#include <map>
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

/// How the panes arrange the meshes.
enum class Layout {
    sideBySide,
    wipe,     ///< one pane: left of the seam the first mesh, right of it the second
    overlay,  ///< one pane: the second mesh, translucent, upon the first
};

/// Looking at the object along an axis of ShapeNet's world (y up).
enum class StandardView { front, right, top, back, left, bottom };

/// Which values the ends of the colour map stand for.
enum class RangeMode {
    shared,  ///< one range for all panes, from the percentiles of all their values
    fitted,  ///< each pane its own
    manual,  ///< as typed or dragged, for all panes
};

inline constexpr std::size_t kMostPanes = 6;

/// Look::morphPosition of the network's result and of the mesh fitted to photographs; the stages
/// before the result are at −1, −2, …
inline constexpr float kMorphResult = 0, kMorphFitted = 1;

/// Instead of a packed colour: the theme's.
inline constexpr float kThemesOwn = -1;

/// How everything is shown: the user's choice. lookFields() lists what is saved where.
struct Look {
    // Surfaces
    render::Shading shading = render::Shading::smooth;
    bool edges = false;
    render::Lighting lighting = render::Lighting::studio;
    bool occlusion = false;
    bool backfaces = false;  ///< faces seen from behind have a colour of their own
    bool axes = false;       ///< the directions of x, y and z in a corner of each pane
    bool ground = false;     ///< a grid below the meshes
    bool cameras = false;    ///< where the photographs were taken, as pyramids
    bool backdrop = false;   ///< from a photograph's viewpoint, the photograph behind the meshes
    /// Colours as packedColour(): of meshes without values, and behind them.
    float surface = kThemesOwn;
    float background = kThemesOwn;

    // Panes
    Layout layout = Layout::sideBySide;
    /// What the panes show, from the left, if the user chose it: at most kMostPanes. Empty: the
    /// first mesh, the second, and what else there is. Saved in sessions only.
    std::vector<MeshId> panes = {};
    bool truthPane = false;              ///< a further pane with the truth
    bool swapped = false;                ///< the second mesh first
    float wipe = 0.5F;                   ///< where the seam stands, share of the width
    float opacity = 0.5F;                ///< of the second mesh in an overlay
    float morphPosition = kMorphResult;  ///< where the slider of the stages stands

    // Colours
    Quantity quantity = Quantity::distanceToTruth;
    render::ColourMap map = render::ColourMap::viridis;
    render::ValueScale scale = render::ValueScale::linear;
    RangeMode range = RangeMode::shared;
    float percentile = 0.99F;  ///< upper end of a fitted range, share of the values
    float lowest = 0;          ///< of a manual range, or one that is kept
    float highest = 0.02F;
    bool keepRange = false;  ///< `lowest` and `highest` stay, whatever results come

    /// Stage of the second mesh, or between two stages: at most the network's result where the
    /// fitted mesh has a pane of its own.
    float shownPosition() const {
        const bool ownPane = layout == Layout::sideBySide;
        return !ownPane || morphPosition < kMorphResult ? morphPosition : kMorphResult;
    }

    bool operator==(const Look&) const = default;
};

/// A value in files: a word of an enumeration, a number, or a bool.
using LookValue = std::variant<bool, float, std::string_view>;

/// A field of Look in files.
struct LookField {
    const char* name;      ///< in sessions and, after "window.", in threefold.toml
    const char* settings;  ///< null: not saved here
    LookValue (*get)(const Look& look);
    /// `value` is of the same kind; an unknown word changes nothing.
    void (*set)(Look& look, const LookValue& value);
    std::span<const std::string_view> words = {};  ///< of an enumeration; else empty
    double least = 0;                              ///< of a number
    double most = 0;
};
/// In the order of a session.
const std::vector<LookField>& lookFields();

/// Sets the fields of a look that `words` names: "map" to "viridis", "edges" to "true". Other
/// names, and words that a field does not have, are ignored.
void setFromWords(Look& look, const std::map<std::string, std::string>& words);

QString shadingName(render::Shading shading);  ///< translated: "Smooth", "Flat", …
inline constexpr std::array kAllShadings{render::Shading::smooth, render::Shading::flat,
                                         render::Shading::wireframe, render::Shading::points};

/// Unknown or missing settings leave the default.
Look readLook(const QSettings& settings);
/// Writes only what differs: QSettings writes its file for every value that is set.
void writeLook(QSettings& settings, const Look& look);

/// The look with another quantity: a range that was typed or is kept belongs to the one before.
Look withQuantity(Look look, Quantity quantity);

}  // namespace threefold::ui
