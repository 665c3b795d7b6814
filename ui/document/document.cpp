#include "ui/document/document.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "engine/sample/sample.h"
#include "ui/document/input_state.h"

namespace threefold::ui {

bool Document::isStale(MeshId id) const {
    const ResultRef& own = result.current();
    const bool reconstructing = run.state().isReconstructing();
    if (id.isOpened()) {
        const OpenedMeshRef& mesh = opened.find(id);
        const ResultRef source = mesh ? mesh->result : nullptr;
        return source && own && (reconstructing || !isSameInput(*source, *own));
    }
    return (reconstructing || run.showsAnotherSample()) && own && run.shownResult(id) == own;
}

render::SceneMeshRef Document::truthPoints() const {
    if (const ResultRef& own = result.current()) return own->mesh(MeshId::truth);
    return opened.reference() ? opened.reference()->points : nullptr;
}

TruthShape Document::truthShape() const {
    if (const ResultRef& own = result.current()) return own->truthShape();
    const OpenedMeshRef& reference = opened.reference();
    return reference ? TruthShape{reference->points, reference->surface} : TruthShape{};
}

bool Document::shows(const std::filesystem::path& file) const {
    const auto isOf = [&](const OpenedMeshRef& mesh) {
        std::error_code missing;
        return mesh && std::filesystem::equivalent(mesh->path, file, missing);
    };
    const auto isOfOpened = [&](MeshId id) { return isOf(opened.find(id)); };
    const ResultRef& own = result.current();
    return (own && isInputOf(*own->sample, file)) || isOf(opened.reference()) ||
           std::ranges::any_of(opened.ids(), isOfOpened);
}

std::string Document::fileValues() const {
    const std::vector<std::string> names = opened.fileValueNames();
    for (const std::string& wanted : {look.current().fileValues, std::string("quality")})
        if (std::ranges::count(names, wanted) > 0) return wanted;
    return names.empty() ? std::string() : names.front();
}

bool Document::overlaysMeshesAlone() const {
    const auto shown = opened.ids().size() + (opened.reference() ? 1 : 0);
    return !result.current() && look.current().paneLayout == PaneLayout::overlay && shown > 1;
}

MeshId Document::shownForChosen(MeshId id) const {
    if (id != MeshId::fitted || std::ranges::count(look.current().panes, MeshId::result) > 0)
        return id;
    const ResultRef& own = result.current();
    const bool isFitted = own && own->mesh(MeshId::fitted);
    // A fit that runs is shown until the slider moves to an earlier stage.
    const float position = look.current().morphPosition;
    const bool standsBefore = isFitted ? position < kMorphFitted : position < kMorphResult;
    return own && standsBefore ? MeshId::result : id;
}

render::UpAxis Document::shownUp() const {
    const bool alone = result.current() == nullptr && !run.state().isReconstructing();
    return alone && look.current().zUp ? render::UpAxis::z : render::UpAxis::y;
}

Quantity Document::shownQuantity() const {
    if (overlaysMeshesAlone()) return Quantity::none;
    const Quantity chosen = look.current().quantity;
    const bool ofTruth = chosen == Quantity::distanceToTruth ||
                         chosen == Quantity::signedDistance ||
                         chosen == Quantity::distanceFromTruth;
    const bool ofPhotographs = chosen == Quantity::photographs;
    if (ofTruth ? truthPoints() != nullptr : !ofPhotographs) return chosen;
    if (result.current()) return Quantity::photographs;
    const std::vector<MeshId> ids = opened.ids();
    const auto painted = [&](MeshId id) {
        const render::SceneMeshRef& mesh = opened.find(id)->mesh;
        return mesh && (mesh->vertexColours || mesh->texture);
    };
    if (std::ranges::any_of(ids, painted)) return Quantity::ownColours;
    if (!opened.fileValueNames().empty()) return Quantity::fileValues;
    return ofPhotographs && !ids.empty() ? Quantity::none : chosen;
}

}  // namespace threefold::ui
