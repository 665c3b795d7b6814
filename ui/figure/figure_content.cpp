#include "ui/figure/figure_content.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <QCoreApplication>

#include <glm/gtc/constants.hpp>

#include "engine/error.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/sample_steps/texture_views.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/value_range.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/pane_cameras.h"
#include "ui/style/control_names.h"
#include "ui/style/image_conversion.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

struct ContentTexts {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

// Extends the region by a mesh.
void include(FigureRowContent& content, const render::SceneMesh& mesh,
             const render::OrbitCamera& camera) {
    constexpr double kNonEmptySize = 1e-6;  // QRectF's union ignores empty rectangles
    const glm::mat4 toClip = camera.projectionMatrix(1.0F) * camera.viewMatrix();
    for (const glm::vec3& vertex : mesh.vertices) {
        const glm::dvec4 clip(toClip * glm::vec4(vertex, 1.0F));
        if (clip.w > 0)
            content.region |=
                QRectF(clip.x / clip.w, clip.y / clip.w, kNonEmptySize, kNonEmptySize);
    }
}

// Stores the photograph, and extends the region by the object's pixels, or by the whole picture if
// the view has no mask.
void include(FigureRowContent& content, const ObjectView& view) {
    content.photo = toQImage(view.picture);
    const Mask mask = view.mask.value_or(Mask{1, 1, {1}});
    const double cellWidth = 2.0 / mask.width, cellHeight = 2.0 / mask.height;
    for (int i = 0; const std::uint8_t inside : mask.inside) {
        const int x = i % mask.width, y = i / mask.width;
        if (inside != 0)
            content.region |= QRectF(x * cellWidth - 1, y * cellHeight - 1, cellWidth, cellHeight);
        ++i;
    }
}

/// Makes the content of one page.
class ContentMaker {
  public:
    ContentMaker(FigurePage page, std::stop_token cancel) : cancel_(std::move(cancel)) {
        content_.page = std::move(page);
    }

    FigureContent make() {
        FigurePage& page = content_.page;
        if (page.columns.empty()) chooseColumns();
        const bool themed = page.background == FigureBackground::theme;
        content_.colours = themeColours(themed && page.dark ? Theme::dark : Theme::light);
        if (!themed) content_.colours.viewport = Qt::white;
        Look& look = page.look;
        look.paneLayout = PaneLayout::sideBySide;
        look.truthPane = look.swapped = look.ground = look.axes = false;
        look.morphPosition = kMorphResult;
        shareRange();
        for (FigureRow& row : page.rows) content_.rows.push_back(contentOrProblem(row));
        return std::move(content_);
    }

  private:
    void checkCancelled() const {
        if (cancel_.stop_requested()) throw Cancelled();
    }

    // Chooses all columns with content.
    void chooseColumns() {
        FigurePage& page = content_.page;
        std::ranges::copy_if(figureColumns(), std::back_inserter(page.columns), [&](MeshId column) {
            return std::ranges::any_of(page.rows, [&](auto& row) {
                return row.has(column) &&
                       !(column == MeshId::firstPublished && row.result->morph.hasOnePublished());
            });
        });
    }

    void shareRange() {
        Look& look = content_.page.look;
        const QuantityInfo info = quantityInfo(look.quantity);
        if (!info.hasValues() || look.hasCustomOrKeptRange()) return;
        std::vector<SurfaceValues> allValues;
        std::vector<const std::vector<float>*> lists;
        for (const FigureRow& row : content_.page.rows)
            for (const MeshId column : content_.page.columns)
                if (column != MeshId::photograph && row.has(column))
                    allValues.push_back(quantityValues(*row.result, column, look.quantity));
        for (const SurfaceValues& values : allValues)
            if (values.magnitudes) lists.push_back(values.magnitudes.get());
        const ValueRange range = automaticRange(lists, look, info);
        look.range = RangeMode::custom;
        look.rangeMin = range.min;
        look.rangeMax = range.max;
    }

    // Content of a row. A row that cannot be drawn gets the problem instead.
    FigureRowContent contentOrProblem(FigureRow& row) {
        checkCancelled();
        if (!row.result) return {};
        const Result& result = *row.result;
        row.name = ContentTexts::tr("%1 · views %2")
                       .arg(sampleTitle(*result.sample), numberList(result.views));
        try {
            return contentOf(row);
        } catch (const Error& error) {
            row = {nullptr, row.name, withControlNames(error.what())};
            return {};
        }
    }

    FigureRowContent contentOf(const FigureRow& row) {
        const Sample& sample = *row.result->sample;
        const int view = row.result->views.front();
        CameraRow from = sample.cameraRows.at(static_cast<std::size_t>(view));
        if (content_.page.viewDirection) {
            from.azimuth = content_.page.viewDirection->x;
            from.elevation = content_.page.viewDirection->y;
        }
        PaneCameras cameras;
        cameras.setCount(1);
        cameras.setSize({1, 1});
        cameras.lookThrough(Camera::fromRow(from));
        const render::OrbitCamera& camera = cameras.camera(0);
        FigureRowContent content;
        content.halfSide = static_cast<double>(camera.distance * std::tan(camera.fieldOfView / 2));
        for (const MeshId column : content_.page.columns) {
            content.scenes.emplace_back();
            if (column == MeshId::photograph)
                include(content, objectView(sample, view, readViewPhoto(sample, view)));
            if (column == MeshId::photograph || !row.has(column)) continue;
            render::Scene& scene = content.scenes.back().emplace(sceneOf(row.result, column));
            scene.panes[0].camera = camera;
            const render::Layer& layer = scene.panes[0].layers[0];
            include(content, *layer.mesh, camera);
            // Extends the region by the mesh from every direction of the turntable video.
            constexpr int kDirections = 36;
            for (int i = 1; i < kDirections && content_.page.turntableFrameCount > 0; ++i)
                include(content, *layer.mesh,
                        rotatedAroundUp(camera, glm::two_pi<double>() * i / kDirections));
            if (layer.colouring == render::Colouring::values && !content_.legend) {
                const QuantityInfo info = quantityInfo(content_.page.look.quantity);
                content_.legend = {legendCaption(info), layer.colourScale};
            }
        }
        return content;
    }

    // Scene of one pane that shows the mesh as the window would.
    render::Scene sceneOf(const ResultRef& result, MeshId id) const {
        Look look = content_.page.look;
        look.panes = {id};
        Document document;
        if (result->fitted()) document.fit.setChoice(result->fitted()->requested);
        document.look.set(look);
        document.result.set(result);
        render::Scene scene = makeScene({document}, content_.colours);
        if (content_.isTransparent()) scene.background.w = 0;
        constexpr double kLineScale = 0.5;  // printed lines are finer than on the screen
        scene.pixelRatio = static_cast<float>(kLineScale * content_.pixelsPerUnit());
        if (document.shownQuantity() != Quantity::photographs) return scene;
        render::Layer& layer = scene.panes[0].layers[0];
        std::vector<std::string> unread;  // the reconstruction has reported these photographs
        const std::vector<TextureView> views =
            textureViews(*result->sample, photographsOf(*result), unread, cancel_);
        layer.texture = bakePhotographs(*layer.mesh, views, cancel_);
        if (layer.texture) layer.colouring = render::Colouring::texture;
        return scene;
    }

    FigureContent content_;
    std::stop_token cancel_;
};

}  // namespace

render::OrbitCamera rotatedAroundUp(render::OrbitCamera camera, double angle) {
    camera.yaw = static_cast<float>(std::remainder(camera.yaw + angle, glm::two_pi<double>()));
    return camera;
}

FigureContent figureContent(FigurePage page, const std::stop_token& cancel) {
    return ContentMaker(std::move(page), cancel).make();
}

}  // namespace threefold::ui
