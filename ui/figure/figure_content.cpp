#include "ui/figure/figure_content.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <QCoreApplication>
#include <QScopeGuard>

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

// The photograph with the region of the object's pixels, or of the whole picture if the view has no
// mask.
FigureCache::Photograph photographOf(const ObjectView& view) {
    FigureCache::Photograph photograph{toQImage(view.picture), {}};
    const Mask mask = view.mask.value_or(Mask{1, 1, {1}});
    const double cellWidth = 2.0 / mask.width, cellHeight = 2.0 / mask.height;
    for (int i = 0; const std::uint8_t inside : mask.inside) {
        const int x = i % mask.width, y = i / mask.width;
        if (inside != 0)
            photograph.region |=
                QRectF(x * cellWidth - 1, y * cellHeight - 1, cellWidth, cellHeight);
        ++i;
    }
    return photograph;
}

// Width of the lines of a scene; printed lines are finer than on the screen.
float scenePixelRatio(const FigureContent& content) {
    constexpr double kLineScale = 0.5;
    return static_cast<float>(kLineScale * content.pixelsPerUnit());
}

/// Makes the content of one page.
class ContentMaker {
  public:
    ContentMaker(FigurePage page, FigureTask task) : task_(std::move(task)) {
        content_.page = std::move(page);
        if (!task_.cache) task_.cache = std::make_shared<FigureCache>();
    }

    FigureContent make() {
        checkCancelled();
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
        if (task_.cancel.stop_requested()) throw Cancelled();
    }

    void reportMadeCell() {
        if (!task_.progress) return;
        const auto cells =
            static_cast<double>(content_.page.rows.size() * content_.page.columns.size());
        task_.progress(kContentFraction * std::min(1.0, ++madeCells_ / cells));
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
                if (column != MeshId::photograph && row.has(column)) {
                    checkCancelled();
                    allValues.push_back(quantityValues(*row.result, column, look.quantity));
                }
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

    const FigureCache::Photograph& photograph(const ResultRef& result, int view) {
        const auto known = task_.cache->photographs.find(result);
        if (known != task_.cache->photographs.end()) return known->second;
        const Sample& sample = *result->sample;
        return task_.cache->photographs
            .emplace(result, photographOf(objectView(sample, view, readViewPhoto(sample, view))))
            .first->second;
    }

    FigureRowContent contentOf(const FigureRow& row) {
        views_.reset();
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
            checkCancelled();
            const auto report = qScopeGuard([this] { reportMadeCell(); });
            content.scenes.emplace_back();
            if (column == MeshId::photograph) {
                const FigureCache::Photograph& shown = photograph(row.result, view);
                content.photo = shown.picture;
                content.region |= shown.region;
            }
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
    render::Scene sceneOf(const ResultRef& result, MeshId id) {
        Look look = content_.page.look;
        look.panes = {id};
        Document document;
        if (result->fitted()) document.fit.setChoice(result->fitted()->requested);
        document.look.set(look);
        document.result.set(result);
        render::Scene scene = makeScene({document}, content_.colours);
        if (content_.isTransparent()) scene.background.w = 0;
        scene.pixelRatio = scenePixelRatio(content_);
        if (document.shownQuantity() != Quantity::photographs) return scene;
        render::Layer& layer = scene.panes[0].layers[0];
        layer.texture = texture(result, layer.mesh);
        if (layer.texture) layer.colouring = render::Colouring::texture;
        return scene;
    }

    render::SceneTextureRef texture(const ResultRef& result, const render::SceneMeshRef& mesh) {
        const std::pair key(result, mesh);
        const auto known = task_.cache->textures.find(key);
        if (known != task_.cache->textures.end()) return known->second;
        std::vector<std::string> unread;  // the reconstruction has reported these photographs
        if (!views_)
            views_ = textureViews(*result->sample, photographsOf(*result), unread, task_.cancel);
        return task_.cache->textures[key] = bakePhotographs(*mesh, *views_, task_.cancel);
    }

    FigureContent content_;
    FigureTask task_;
    std::optional<std::vector<TextureView>> views_;  // of the row being made, once needed
    int madeCells_ = 0;
};

}  // namespace

render::OrbitCamera rotatedAroundUp(render::OrbitCamera camera, double angle) {
    camera.yaw = static_cast<float>(std::remainder(camera.yaw + angle, glm::two_pi<double>()));
    return camera;
}

void FigureContent::setDpi(int dpi) {
    page.dpi = dpi;
    for (FigureRowContent& row : rows)
        for (std::optional<render::Scene>& scene : row.scenes)
            if (scene) scene->pixelRatio = scenePixelRatio(*this);
}

FigureContent figureContent(FigurePage page, const FigureTask& task) {
    return ContentMaker(std::move(page), task).make();
}

}  // namespace threefold::ui
