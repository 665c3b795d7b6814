#include "ui/panes/compare_arrangement.h"

#include <utility>

#include <glm/geometric.hpp>

#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"
#include "ui/style/number_format.h"

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

// The pane of the fitted mesh stays while its next one is computed.
bool hasFitted(const Document& document) {
    return meshOf(document, MeshRole::fitted) != nullptr ||
           (document.run().reconstructing() && document.fitChoice().on);
}

std::vector<MeshRole> defaultRoles(const Document& document) {
    std::vector<MeshRole> roles = document.openedRoles();
    const ResultRef& shown = document.shownResult(MeshRole::coarse);
    if (!shown) {
        // The file that others are judged against stays where those cannot be read.
        if (document.reference()) roles.push_back(MeshRole::truth);
        return roles;
    }
    if (roles.empty() && !shown->morph.hasOnePublished()) roles.push_back(MeshRole::coarse);
    std::vector<MeshRole> results{MeshRole::refined};
    if (document.look().layout == Layout::sideBySide && hasFitted(document))
        results.push_back(MeshRole::fitted);
    roles.insert(roles.begin() + (roles.empty() ? 0 : 1), results.begin(), results.end());
    return roles;
}

std::vector<MeshRole> chosenRoles(const Document& document) {
    std::vector<MeshRole> roles = document.look().panes;
    std::erase_if(roles, [&](MeshRole role) { return isOpened(role) && !document.opened(role); });
    return roles;
}

}  // namespace

bool defaultPanes(const Document& document) {
    return std::ranges::none_of(document.look().panes, [&](MeshRole role) {
        return isOpened(role) ? document.opened(role) != nullptr
                              : document.shownResult(MeshRole::coarse) != nullptr;
    });
}

std::vector<MeshRole> shownRoles(const Document& document) {
    std::vector<MeshRole> roles =
        defaultPanes(document) ? defaultRoles(document) : chosenRoles(document);
    const bool truth = document.look().truthPane && document.result() &&
                       meshOf(document, MeshRole::truth) != nullptr;
    if (truth && std::ranges::count(roles, MeshRole::truth) == 0) roles.push_back(MeshRole::truth);
    roles.resize(std::min(roles.size(), kMostPanes));
    if (roles.size() > 1 && document.look().swapped != document.blinking())
        std::swap(roles[0], roles[1]);
    return roles;
}

render::SceneMeshRef meshOf(const Document& document, MeshRole role) {
    if (isOpened(role)) return document.opened(role) ? document.opened(role)->mesh : nullptr;
    const ResultRef& result = document.shownResult(role);
    if (role == MeshRole::fitted && !(result && result->fitted))
        return result == document.result() ? document.fitSoFar() : nullptr;
    if (!result)
        return role == MeshRole::truth && document.reference() ? document.reference()->mesh
                                                               : nullptr;
    return role == MeshRole::truth     ? result->truth
           : role == MeshRole::hull    ? result->hull
           : role == MeshRole::refined ? morphedMesh(*result, document.look().shownPosition())
           : role == MeshRole::coarse  ? result->coarse
                                       : result->fitted;
}

std::optional<glm::vec3> placeOf(const Document& document, const PickedVertex& vertex) {
    const render::SceneMeshRef mesh = meshOf(document, vertex.role);
    if (!mesh || vertex.index >= mesh->vertices.size()) return std::nullopt;
    return mesh->vertices[vertex.index];
}

std::optional<MeasuredDistance> measuredDistance(const Document& document) {
    const std::vector<PickedVertex>& ends = document.distanceEnds();
    if (ends.size() < 2) return std::nullopt;
    const auto from = placeOf(document, ends[0]), to = placeOf(document, ends[1]);
    if (!from || !to) return std::nullopt;
    constexpr int kDecimals = 4;
    const auto length = static_cast<double>(glm::distance(*from, *to));
    QString text = QObject::tr("%1 object units").arg(fixed(length, kDecimals));
    const ResultRef& result = document.result();
    if (result && result->sample->photos)
        text += QObject::tr(" · %1 of yours")
                    .arg(shortNumber(length / result->sample->photos->frame.world.scale));
    return MeasuredDistance{*from, *to, text};
}

std::vector<ArrangedPane> arrangePanes(const Document& document) {
    const std::vector<MeshRole> roles = shownRoles(document);
    const Look& look = document.look();
    std::vector<ArrangedPane> panes;
    if (roles.empty()) panes.resize(look.layout == Layout::sideBySide ? 2 : 1);
    std::size_t next = 0;
    if (roles.size() > 1 && look.layout != Layout::sideBySide) {
        panes.push_back(look.layout == Layout::wipe ? wipe(document, roles[0], roles[1])
                                                    : overlay(document, roles[0], roles[1]));
        next = 2;
    }
    for (; next < roles.size(); ++next) panes.push_back({{stand(document, roles[next])}, {}});
    return panes;
}

std::optional<std::size_t> paneOf(const Document& document,
                                  const std::vector<PickedVertex>& vertices) {
    const std::vector<ArrangedPane> panes = arrangePanes(document);
    for (std::size_t i = 0; i < panes.size(); ++i)
        for (const PickedVertex& vertex : vertices)
            if (panes[i].shows(vertex.role)) return i;
    return std::nullopt;
}

}  // namespace threefold::ui
