#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>

#include <QImage>
#include <QSizeF>
#include <QString>

#include "render/device.h"
#include "ui/results/look.h"
#include "ui/results/mesh_id.h"
#include "ui/results/result.h"

class QPainter;

namespace threefold::ui {

inline constexpr double kMillimetresPerInch = 25.4;
inline constexpr double kUnitsPerInch = 96;  ///< units of a page

/// All columns of a figure: MeshId::photograph, then kResultMeshes.
std::vector<MeshId> figureColumns();
/// Name of a column on the command line: "photo", or MeshId::name().
std::string figureColumnName(MeshId column);

/// One object of a figure. Without a result, `name` is the requested name, and `problem` the reason
/// why there is no result.
struct FigureRow {
    ResultRef result;
    QString name = {};
    QString problem = {};

    /// Whether the row has something to show in this column.
    bool has(MeshId column) const;
};

/// Background: white for print, transparent, or the background of the window's panes.
enum class FigureBackground { white, transparent, theme };
inline constexpr std::string_view kFigureBackgrounds[] = {"white", "transparent", "theme"};

/// Figure: a grid of objects × columns.
struct FigurePage {
    std::vector<FigureRow> rows;
    std::vector<MeshId> columns = {};  ///< empty: all columns with content
    double widthMillimetres = 170;     ///< above 0; the height follows from the content
    int dpi = 300;                     ///< dots per inch of pictures, and of a PNG; above 0
    FigureBackground background = FigureBackground::white;
    bool dark = true;  ///< for FigureBackground::theme
    /// Azimuth and elevation in degrees, as in CameraRow; none: those of each row's first view.
    std::optional<glm::dvec2> viewDirection = {};
    Look look = {};  ///< look of the surfaces; an automatic colour range is shared by the page
    /// Number of pictures of one rotation about the vertical; 0: a still page.
    int turntableFrameCount = 0;
};
inline constexpr std::size_t kMaxFigureRows = 100;

struct FigureCache;

/// Cancellation, progress and cache of drawing a figure.
struct FigureTask {
    std::stop_token cancel = {};
    /// Called on the drawing thread with the rising fraction that is drawn, 0 to 1; may be null.
    std::function<void(double fraction)> progress = {};
    /// Content that other pages of the same rows have drawn, used and extended; may be null.
    std::shared_ptr<FigureCache> cache = {};
};

/// Laid-out page. Needs a QGuiApplication for fonts. For one thread at a time.
class LaidOutPage {
  public:
    /// Lays a page out; reads the photographs. The cells of a row show the same region of the same
    /// view, and all rows have one scale (page units per object unit). `device` must outlive the
    /// page. Throws Cancelled.
    LaidOutPage(FigurePage page, const render::Device& device, FigureTask task = {});
    ~LaidOutPage();

    QSizeF size() const;  ///< in units of 1/96 inch, in which paint() draws, too
    /// Draws the cells as pixels; text, legend and scale bar as vectors. Throws DeviceError,
    /// InputError (a cell with too many pixels, unless the painter clips) and Cancelled.
    void paint(QPainter& painter) const;
    /// Sets the rotation of the meshes for the next paint(), radians; 0: as laid out.
    void turnTo(double angle);
    /// Changes FigurePage::dpi, without reading or computing the content again.
    void setDpi(int dpi);
    /// Sets the number of paint() calls to come, for FigureTask::progress; 1 unless set.
    void expectPaints(int count);

  private:
    class Painter;
    std::unique_ptr<Painter> painter_;
};

/// Checks the extension of a figure's file: .pdf, .svg, .png or, for a video, .mp4 or .webm, in
/// upper or lower case; with `turntableFrameCount` > 0 only .png, .mp4 or .webm. Throws UsageError
/// for any other extension.
void requireFigureFile(const std::filesystem::path& file, int turntableFrameCount = 0);

/// Files that writeFigure() would write for `file` and FigurePage::turntableFrameCount. For a
/// video, they depend on whether ffmpeg is found.
std::vector<std::filesystem::path> figureFiles(const std::filesystem::path& file,
                                               int turntableFrameCount);

/// Draws a page with `side` pixels on its longer side; of a turntable, only the first picture.
/// Throws like LaidOutPage and render::Device.
QImage figurePreview(const FigurePage& page, int side, const FigureTask& task = {});

/// Writes a figure and returns its files. A video has 30 pictures a second, by default 120
/// pictures, and needs ffmpeg; without ffmpeg, and for .png, each picture of a turntable becomes a
/// numbered PNG file. Equal pages give equal bytes, except videos: the files have neither dates nor
/// random numbers. Throws like LaidOutPage, requireFigureFile() and render::Device, and IoError.
std::vector<std::filesystem::path> writeFigure(const FigurePage& page,
                                               const std::filesystem::path& file,
                                               const FigureTask& task = {});

}  // namespace threefold::ui
