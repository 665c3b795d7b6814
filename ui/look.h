#pragma once

#include <array>

#include <QString>

#include "render/scene.h"
#include "ui/result.h"
#include "ui/theme.h"

class QSettings;

namespace threefold::ui {

/// How the meshes are drawn: the user's choice, kept between runs.
struct Look {
    render::Shading shading = render::Shading::smooth;
    bool distances = true;  ///< coloured by distance to the truth, where there is one
    render::ColourMap map = render::ColourMap::inferno;

    bool operator==(const Look&) const = default;
};

QString shadingName(render::Shading shading);  ///< "Smooth", "Flat", "Wireframe", "Points"
inline constexpr std::array kAllShadings{render::Shading::smooth, render::Shading::flat,
                                         render::Shading::wireframe, render::Shading::points};
inline constexpr std::array kAllColourMaps{render::ColourMap::inferno, render::ColourMap::viridis};

/// Unknown or missing settings leave the default.
Look readLook(const QSettings& settings);
void writeLook(QSettings& settings, const Look& look);

/// Both panes; cameras and pixel ratio are the viewport's. `result` may be null: two empty panes.
render::Scene makeScene(const Result* result, const Look& look, const ThemeColours& colours);

}  // namespace threefold::ui
