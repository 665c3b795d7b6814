#include "ui/panes/compare_arrangement.h"

#include <utility>

#include "ui/document/mesh_morph.h"

namespace threefold::ui {
namespace {

ArrangedMesh stand(const Document& document, MeshRole role) {
    return {role, meshOf(document, role)};
}

// While the blink key is held an overlay shows only the mesh below, to be compared by eye.
ArrangedPane overlay(const Document& document, MeshRole below, MeshRole above) {
    if (document.blinking()) return {{stand(document, above)}, std::nullopt};
    ArrangedPane pane{{stand(document, below), stand(document, above)}, std::nullopt};
    pane.meshes[1].opacity = document.look().opacity;
    return pane;
}

ArrangedPane wipe(const Document& document, MeshRole left, MeshRole right) {
    const float seam = document.look().wipe;
    ArrangedPane pane{{stand(document, left), stand(document, right)}, seam};
    pane.meshes[0].to = seam;
    pane.meshes[1].from = seam;
    return pane;
}

}  // namespace

Compared compared(const Document& document) {
    const bool opened = document.comparison() != nullptr;
    if (!document.shownResult(MeshRole::coarse) && !(opened && document.reference())) {
        if (opened) return {MeshRole::comparison, std::nullopt};
        // The file that it is judged against stays where the other one cannot be read.
        return {document.reference() ? std::optional(MeshRole::truth) : std::nullopt, std::nullopt};
    }
    Compared both{opened ? MeshRole::comparison : MeshRole::coarse,
                  document.shownResult(MeshRole::coarse) ? MeshRole::refined : MeshRole::truth};
    if (document.look().swapped != document.blinking()) std::swap(both.first, both.second);
    return both;
}

render::SceneMeshRef meshOf(const Document& document, MeshRole role) {
    const ResultRef& result = document.shownResult(role);
    switch (role) {
        case MeshRole::coarse:
            return result ? result->coarse : nullptr;
        case MeshRole::refined:
            if (!result) return nullptr;
            return morphedMesh(*result, document.look().shownPosition());
        case MeshRole::comparison:
            return document.comparison() ? document.comparison()->mesh : nullptr;
        case MeshRole::truth:
            if (result) return result->truth;
            return document.reference() ? document.reference()->mesh : nullptr;
        case MeshRole::fitted:
            if (result && result->fitted) return result->fitted;
            return result == document.result() ? document.fitSoFar() : nullptr;
    }
    return nullptr;
}

std::optional<glm::vec3> placeOf(const Document& document, const PickedVertex& vertex) {
    const render::SceneMeshRef mesh = meshOf(document, vertex.role);
    if (!mesh || vertex.index >= mesh->vertices.size()) return std::nullopt;
    return mesh->vertices[vertex.index];
}

bool showsFitted(const Document& document) {
    if (document.look().layout != Layout::sideBySide || !document.shownResult(MeshRole::coarse))
        return false;
    // The pane stays while its next mesh is computed.
    return meshOf(document, MeshRole::fitted) != nullptr ||
           (document.run().reconstructing() && document.fitChoice().on);
}

bool showsTruth(const Document& document) {
    return document.look().truthPane && document.result() &&
           meshOf(document, MeshRole::truth) != nullptr;
}

std::vector<ArrangedPane> arrangePanes(const Document& document) {
    const auto [first, second] = compared(document);
    std::vector<ArrangedPane> panes;
    if (!second) {
        const bool two = !first && document.look().layout == Layout::sideBySide;
        panes.resize(two ? 2 : 1);
        if (first) panes[0].meshes = {stand(document, *first)};
    } else {
        switch (document.look().layout) {
            case Layout::sideBySide:
                panes = {{{stand(document, *first)}, {}}, {{stand(document, *second)}, {}}};
                break;
            case Layout::wipe:
                panes = {wipe(document, *first, *second)};
                break;
            case Layout::overlay:
                panes = {overlay(document, *first, *second)};
                break;
        }
    }
    if (showsFitted(document)) panes.push_back({{stand(document, MeshRole::fitted)}, {}});
    if (showsTruth(document)) panes.push_back({{stand(document, MeshRole::truth)}, {}});
    return panes;
}

}  // namespace threefold::ui
