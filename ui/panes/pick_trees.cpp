#include "ui/panes/pick_trees.h"

#include <set>

#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/panes/pane_arrangement.h"

namespace threefold::ui {

PickTrees::PickTrees(const Document& document, QObject* parent)
    : QObject(parent), document_(document) {
    connectChanged(this, &PickTrees::dropUnused, document_.result, document_.run, document_.opened);
}

PickTreeRef PickTrees::findOrBuild(const render::SceneMeshRef& mesh) {
    if (!mesh || mesh->vertices.empty()) return nullptr;
    const auto found = trees_.find(mesh);
    if (found != trees_.end()) return found->second;
    if (building_.contains(mesh)) return nullptr;
    dropUnused();
    const std::stop_token cancel = building_[mesh].get_token();
    inBackground(
        this, [mesh, cancel] { return std::make_shared<const PickTree>(mesh, cancel); },
        [this, mesh, cancel](const TaskResult<PickTreeRef>& outcome) {
            if (cancel.stop_requested()) return;
            building_.erase(mesh);
            if (!outcome.value) return;  // findOrBuild() tries again
            trees_[mesh] = *outcome.value;
            Q_EMIT ready();
        });
    return nullptr;
}

void PickTrees::dropUnused() {
    std::set<render::SceneMeshRef> shown;
    for (const MeshId id : document_.opened.idsWithResult()) shown.insert(meshOf(document_, id));
    std::erase_if(trees_, [&](const auto& entry) { return !shown.contains(entry.first); });
    std::erase_if(building_, [&](auto& entry) {
        return !shown.contains(entry.first) && entry.second.request_stop();
    });
}

}  // namespace threefold::ui
