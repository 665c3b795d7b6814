#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>

#include <QSizeF>
#include <QString>

#include "render/device.h"
#include "ui/results/look.h"
#include "ui/results/result.h"

class QPainter;

namespace threefold::ui {

/// What stands in a column of a figure; none: the photograph.
using FigureColumn = std::optional<MeshId>;
/// All of them: the photograph, then kOwnMeshes. And the name of each on the command line.
std::vector<FigureColumn> figureColumns();
/// "photo", or MeshId::name().
std::string figureColumnWord(FigureColumn column);

/// One object of a figure. Without a result its row says why, under the name that was asked for.
struct FigureRow {
    ResultRef result;
    QString name = {};
    QString problem = {};
};

/// Light and for print, the same without a background, or as the window's panes.
enum class FigureBackground { white, transparent, theme };
inline constexpr std::string_view kFigureBackgrounds[] = {"white", "transparent", "theme"};

/// A grid of objects × methods.
struct FigurePage {
    std::vector<FigureRow> rows;
    std::vector<FigureColumn> columns = {};  ///< none: all that the rows have something for
    double millimetres = 170;  ///< width, above 0; the height follows from the content
    int dpi = 300;             ///< of photographs and meshes, and of a PNG; above 0
    FigureBackground background = FigureBackground::white;
    bool dark = true;  ///< FigureBackground::theme
    /// Azimuth and elevation in degrees, as CameraRow has them; none: each row's first view.
    std::optional<glm::dvec2> camera = {};
    Look look = {};  ///< of the surfaces; a fitted range of colours is one for the whole page
    int turn = 0;    ///< pictures of one turn of the meshes about the vertical; 0: a still page
};
inline constexpr std::size_t kMostFigureRows = 100;

/// A page that is laid out, in units of 1/96 inch. `paint` draws the cells as it goes, and text,
/// legend and scale bar as vectors; it throws DeviceError, InputError (a cell beyond the device's
/// limit) and Cancelled. Needs a QGuiApplication for its fonts; on any one thread.
struct LaidOutPage {
    QSizeF size;
    std::function<void(QPainter& painter)> paint;
    /// What `paint` shows next: the meshes turned so far from the first picture, radians.
    std::function<void(double angle)> turnTo;
};
/// Reads the photographs. The cells of a row show the same part of the same view, and all rows have
/// one scale. `device` must outlive what it returns. Throws Cancelled.
LaidOutPage layOut(FigurePage page, const render::Device& device,
                   const std::stop_token& cancel = {});

/// Throws UsageError unless the file ends with .pdf, .svg, .png, or, for a film, .mp4 or .webm, in
/// either case; a page that turns is a film or .png.
void requireFigureFile(const std::filesystem::path& file, int turn = 0);

/// Returns the files. A film has 30 pictures a second, of 120 where the page does not say, and
/// needs ffmpeg: without, and for .png, a turn is as many numbered PNG files. Equal pages give
/// equal bytes, films apart: the files carry neither dates nor random numbers. Throws as layOut(),
/// `paint`, requireFigureFile() and render::Device, and IoError.
std::vector<std::filesystem::path> writeFigure(const FigurePage& page,
                                               const std::filesystem::path& file,
                                               const std::stop_token& cancel = {});

}  // namespace threefold::ui
