#include "ui/figure/web_document.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/evaluation/thumbnail.h"
#include "engine/sample/sample_views.h"
#include "engine/web_page/sample_result.h"
#include "ui/document/measure_rows.h"
#include "ui/document/photograph_textures.h"
#include "ui/document/shown_document.h"
#include "ui/document/value_range.h"
#include "ui/files/picture_labels.h"
#include "ui/results/quantities.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMaxWebPhotographs = 24;

/// A mesh of the document for a column of the page; does not depend on the stage slider.
render::SceneMeshRef columnMesh(const Document& document, MeshId id) {
    if (id.isOpened()) return document.opened.find(id) ? document.opened.find(id)->mesh : nullptr;
    const ResultRef& result = document.result.current();
    return result ? result->mesh(id) : nullptr;
}

std::string columnName(const Document& document, MeshId id) {
    if (id.isOpened()) return document.opened.find(id)->name().toStdString();
    return meshTitle(document.result.current()->morph, id).toStdString();
}

SurfaceValues columnValues(const ShownDocument& source, MeshId id) {
    const Document& document = source.document;
    const Quantity quantity = document.shownQuantity();
    return id.isOpened() ? surfaceValues(source, id, quantity)
                         : quantityValues(*document.result.current(), id, quantity);
}

void addTexture(WebMesh& column, const SurfacePaint& paint) {
    if (!paint.texture || paint.texture->pixels.empty()) return;
    column.texture = {paint.texture->width, paint.texture->height, paint.texture->pixels};
    for (const glm::vec2& corner : paint.texture->texCoords)
        column.textureCoordinates.emplace_back(corner.x,
                                               1 - corner.y);  // the page's v axis points up
}

}  // namespace

WebPage webPageOf(const ShownDocument& source, const MeasuredMeshes& measured) {
    const Document& document = source.document;
    WebPage page;
    const ResultRef& result = document.result.current();
    const std::vector<MeasureRow> rows = measureRows(measured.meshes());
    for (const MeasureRow& row : rows) page.measures.push_back({row.label.toStdString()});
    const QuantityInfo info = shownQuantityInfo(document);
    const render::ColourScale colours = colourScaleOf(source, MeshId::result);
    page.colours.caption = legendCaption(info).toStdString();
    page.colours.table = render::colourTable(colours.map);
    page.colours.logarithmic = colours.scale == render::ValueScale::logarithmic;
    page.colours.min = colours.min;
    page.colours.max = colours.max;
    WebResult shown;
    std::optional<std::size_t> truth;
    std::optional<std::size_t> distanceMesh;  // the truth's colours are the distances to this mesh
    for (const MeshId id : document.opened.idsWithResult()) {
        const render::SceneMeshRef mesh = columnMesh(document, id);
        if (!mesh || mesh->vertices.empty()) continue;
        if (id == MeshId::firstPublished && result->morph.hasOnePublished()) continue;
        WebMesh& column = shown.meshes.emplace_back();
        column.name = columnName(document, id);
        column.mesh = {mesh->vertices, mesh->faces};
        if (const auto ofMesh = columnValues(source, id).values.valuesFor(mesh))
            column.values = *ofMesh;
        addTexture(column, surfacePaint(source, id, mesh));
        for (const MeasureRow& row : rows) column.numbers.push_back({row[id].toStdString()});
        if (id == MeshId::truth) truth = shown.meshes.size() - 1;
        if (id == MeshId::result || id == MeshId::fitted) distanceMesh = shown.meshes.size() - 1;
        column.definesViewAndRange =
            id == MeshId::firstPublished || id == MeshId::result || id.isOpened();
    }
    if (truth && distanceMesh && document.shownQuantity() == Quantity::distanceToTruth)
        setDistancesToMesh(shown.meshes[*truth], shown.meshes[*distanceMesh], kTau);
    if (shown.meshes.empty()) return page;
    page.title = (result ? sampleTitle(*result->sample) : QString()).toStdString();
    if (page.title.empty()) page.title = shown.meshes.front().name;
    shown.name = page.title;
    page.subtitle = webSubtitle(THREEFOLD_VERSION);
    if (result)
        shown.note =
            webNote({.input = result->views}, result->truth ? std::optional(kTau) : std::nullopt);
    page.results.push_back(std::move(shown));
    return page;
}

void addPhotographs(WebPage& page, const Result& result, const std::stop_token& cancel) {
    try {
        page.results.front().fallbackPicture =
            makeThumbnail(loadViews(*result.sample, result.views), result.reconstruction);
    } catch (const Error&) {
        // As below; the page then has no picture for browsers without WebGL.
    }
    std::vector<int> views = photographsOf(result);
    views.resize(std::min(views.size(), kMaxWebPhotographs));
    for (const int view : views) {
        if (cancel.stop_requested()) throw Cancelled();
        try {
            const Sample& sample = *result.sample;
            page.results.front().photographs.push_back(
                {fmt::format("view {}", view), readNetworkImage(sample, view),
                 Camera::fromRow(sample.cameraRows.at(static_cast<std::size_t>(view))),
                 std::ranges::find(result.views, view) != result.views.end()});
        } catch (const Error&) {
            // The file may have been removed since the run; the page then lacks this photograph.
        }
    }
}

}  // namespace threefold::ui
