#include "ui/panes/pane_arrangement.h"

#include <utility>

#include <glm/geometric.hpp>

#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

ArrangedMesh arrangedMesh(const Document& document, MeshId id) {
    return {id, meshOf(document, id)};
}

// While the blink key is held, only one mesh is drawn, so that the eye compares the two in turn.
ArrangedPane overlay(const Document& document, MeshId below, MeshId above) {
    if (document.look.isBlinking()) return {{arrangedMesh(document, above)}, std::nullopt};
    ArrangedPane pane{{arrangedMesh(document, below), arrangedMesh(document, above)}, std::nullopt};
    pane.meshes[1].opacity = document.look.current().opacity;
    return pane;
}

ArrangedPane wipe(const Document& document, MeshId left, MeshId right) {
    const float seam = document.look.current().seamPosition;
    ArrangedPane pane{{arrangedMesh(document, left), arrangedMesh(document, right)}, seam};
    pane.meshes[0].rightEdge = seam;
    pane.meshes[1].leftEdge = seam;
    return pane;
}

// The fitted mesh keeps its pane while the next fit is computed.
bool hasFittedPane(const Document& document) {
    return meshOf(document, MeshId::fitted) != nullptr ||
           (document.run.state().isReconstructing() && document.fit.choice().on);
}

std::vector<MeshId> defaultIds(const Document& document) {
    std::vector<MeshId> ids = document.opened.ids();
    const ResultRef& shown = document.run.shownResult(MeshId::firstPublished);
    // The first run has all its panes from the beginning, so that no pane moves while meshes
    // arrive.
    if (!shown && document.run.state().isReconstructing() && ids.empty()) {
        ids = {MeshId::firstPublished, MeshId::result};
        if (document.look.current().paneLayout == PaneLayout::sideBySide &&
            document.fit.choice().on)
            ids.push_back(MeshId::fitted);
        return ids;
    }
    if (!shown) {
        // The reference file stays when the files to compare with it cannot be read.
        if (document.opened.reference()) ids.push_back(MeshId::truth);
        return ids;
    }
    if (ids.empty() && !shown->morph.hasOnePublished()) ids.push_back(MeshId::firstPublished);
    std::vector<MeshId> results{MeshId::result};
    if (document.look.current().paneLayout == PaneLayout::sideBySide && hasFittedPane(document))
        results.push_back(MeshId::fitted);
    ids.insert(ids.begin() + (ids.empty() ? 0 : 1), results.begin(), results.end());
    return ids;
}

std::vector<MeshId> chosenIds(const Document& document) {
    std::vector<MeshId> ids = document.look.current().panes;
    // A wipe and an overlay show meshes only.
    const bool meshesOnly = document.look.current().paneLayout != PaneLayout::sideBySide;
    std::erase_if(ids, [&](MeshId id) {
        return id.isOpened() ? !document.opened.find(id) : meshesOnly && id == MeshId::photograph;
    });
    return ids;
}

}  // namespace

bool showsDefaultPanes(const Document& document) {
    return std::ranges::none_of(document.look.current().panes, [&](MeshId id) {
        return id.isOpened() ? document.opened.find(id) != nullptr
                             : document.run.shownResult(MeshId::firstPublished) != nullptr ||
                                   document.run.state().isReconstructing();
    });
}

std::vector<MeshId> paneIds(const Document& document) {
    std::vector<MeshId> ids =
        showsDefaultPanes(document) ? defaultIds(document) : chosenIds(document);
    const bool truth = document.look.current().truthPane && document.result.current() &&
                       meshOf(document, MeshId::truth) != nullptr;
    const bool addsTruth = truth && std::ranges::count(ids, MeshId::truth) == 0;
    ids.resize(std::min(ids.size(), kMaxPanes - (addsTruth ? 1 : 0)));
    if (addsTruth) ids.push_back(MeshId::truth);
    if (ids.size() > 1 && document.look.current().swapped != document.look.isBlinking())
        std::swap(ids[0], ids[1]);
    return ids;
}

std::vector<MeshId> shownIds(const Document& document) {
    std::vector<MeshId> ids = paneIds(document);
    if (!showsDefaultPanes(document))
        for (MeshId& id : ids) id = document.shownForChosen(id);
    return ids;
}

render::SceneMeshRef meshOf(const Document& document, MeshId id) {
    if (id == MeshId::photograph) return nullptr;
    if (id.isOpened()) return document.opened.find(id) ? document.opened.find(id)->mesh : nullptr;
    const ResultRef& result = document.run.shownResult(id);
    // The input shows another object, and these meshes would seem to belong to that object.
    if (document.run.showsAnotherSample() && result == document.result.current()) return nullptr;
    if (id == MeshId::fitted && !(result && result->mesh(MeshId::fitted)))
        return result == document.result.current() ? document.fit.convergingMesh() : nullptr;
    if (!result)
        return id == MeshId::truth && document.opened.reference()
                   ? document.opened.reference()->mesh
                   : nullptr;
    if (id == MeshId::truth && result->truth && result->truth->surface)
        return result->truth->surface;
    return id == MeshId::result ? morphedMesh(*result, document.look.current().shownPosition())
                                : result->mesh(id);
}

std::optional<glm::vec3> vertexPosition(const Document& document, const VertexId& vertex) {
    const render::SceneMeshRef mesh = meshOf(document, vertex.id);
    if (!mesh || vertex.index >= mesh->vertices.size()) return std::nullopt;
    return mesh->vertices[vertex.index];
}

std::optional<MeasuredDistance> measuredDistance(const Document& document) {
    const std::vector<VertexId>& ends = document.pointed.distanceEnds();
    if (ends.size() < 2) return std::nullopt;
    const auto from = vertexPosition(document, ends[0]), to = vertexPosition(document, ends[1]);
    if (!from || !to) return std::nullopt;
    constexpr int kDecimals = 4;
    const auto length = static_cast<double>(glm::distance(*from, *to));
    QString text = QObject::tr("%1 object units").arg(fixedText(length, kDecimals));
    const ResultRef& result = document.result.current();
    if (result && result->sample->photos)
        text +=
            QObject::tr(" · %1 camera units")
                .arg(shortNumber(length / result->sample->photos->frame.photosToObjectSpace.scale));
    return MeasuredDistance{*from, *to, text};
}

std::vector<ArrangedPane> arrangePanes(const Document& document) {
    const std::vector<MeshId> ids = shownIds(document);
    const Look& look = document.look.current();
    std::vector<ArrangedPane> panes;
    if (ids.empty()) panes.resize(look.paneLayout == PaneLayout::sideBySide ? 2 : 1);
    std::size_t next = 0;
    if (ids.size() > 1 && look.paneLayout != PaneLayout::sideBySide) {
        panes.push_back(look.paneLayout == PaneLayout::wipe ? wipe(document, ids[0], ids[1])
                                                            : overlay(document, ids[0], ids[1]));
        next = 2;
    }
    for (; next < ids.size(); ++next) panes.push_back({{arrangedMesh(document, ids[next])}, {}});
    return panes;
}

std::optional<std::array<QColor, 2>> overlayColours(const Document& document,
                                                    const ThemeColours& theme) {
    const bool plain = document.shownQuantity() == Quantity::none;
    if (document.look.current().paneLayout != PaneLayout::overlay || !plain ||
        shownIds(document).size() < 2)
        return std::nullopt;
    // A mesh keeps its colour when the two meshes are swapped, and when blinking shows it alone.
    std::array colours{theme.accent, theme.resultAccent};
    if (document.look.current().swapped != document.look.isBlinking())
        std::swap(colours[0], colours[1]);
    return colours;
}

std::optional<std::size_t> paneOf(const Document& document, const std::vector<VertexId>& vertices) {
    const std::vector<ArrangedPane> panes = arrangePanes(document);
    for (std::size_t i = 0; i < panes.size(); ++i)
        for (const VertexId& vertex : vertices)
            if (panes[i].shows(vertex.id)) return i;
    return std::nullopt;
}

}  // namespace threefold::ui
