#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <QImage>
#include <QRectF>

#include "render/scene.h"
#include "ui/figure/figure_page.h"
#include "ui/files/picture_labels.h"
#include "ui/style/theme.h"

namespace threefold::ui {

/// Content of a row's cells. Each cell shows the same region of its own square picture.
struct FigureRowContent {
    std::vector<std::optional<render::Scene>> scenes = {};  ///< by column
    QImage photo = {};
    double halfSide = 0;  ///< half the side of each square picture, in object units
    /// Region with the whole object, in units of `halfSide`: x right, y down, 0 at the centre.
    QRectF region = {};
};

/// A page with the content of its cells.
struct FigureContent {
    FigurePage page;  ///< with its columns and its colour range; rows that failed have a problem
    std::vector<FigureRowContent> rows;
    ThemeColours colours;
    std::optional<PictureLabels::Legend> legend;

    bool isTransparent() const { return page.background == FigureBackground::transparent; }
    double pixelsPerUnit() const { return page.dpi / kUnitsPerInch; }
    /// Changes FigurePage::dpi, with the width of the lines in the scenes.
    void setDpi(int dpi);
};

/// Content of rows that takes long to make and does not depend on the choices of a page. For one
/// thread at a time.
struct FigureCache {
    struct Photograph {
        QImage picture;
        QRectF region;  ///< of the object, as FigureRowContent::region
    };
    std::map<ResultRef, Photograph> photographs;  ///< of the reference views
    /// Photographs baked on meshes; null: there is no texture.
    std::map<std::pair<ResultRef, render::SceneMeshRef>, render::SceneTextureRef> textures;
};

/// Fraction of FigureTask::progress that figureContent() takes.
inline constexpr double kContentFraction = 0.5;

/// Reads the photographs of a page and makes its scenes. A row that cannot be drawn gets a problem
/// in place of its content. Throws Cancelled.
FigureContent figureContent(FigurePage page, const FigureTask& task);

/// Camera that shows the object turned to the left, as on a turntable. `angle` in radians.
render::OrbitCamera rotatedAroundUp(render::OrbitCamera camera, double angle);

}  // namespace threefold::ui
