#include "ui/panes/picking_trees.h"

#include <set>

#include "ui/document/background.h"
#include "ui/panes/compare_arrangement.h"

namespace threefold::ui {

PickTrees::PickTrees(const Document& document, QObject* parent)
    : QObject(parent), document_(document) {
    connect(&document_, &Document::resultChanged, this, &PickTrees::forget);
    connect(&document_, &Document::runChanged, this, &PickTrees::forget);
    connect(&document_, &Document::comparisonChanged, this, &PickTrees::forget);
}

PickTrees::~PickTrees() {
    for (auto& [mesh, source] : making_) source.request_stop();
}

PickTreeRef PickTrees::find(const render::SceneMeshRef& mesh) {
    if (!mesh || mesh->vertices.empty()) return nullptr;
    const auto known = trees_.find(mesh);
    if (known != trees_.end()) return known->second;
    if (making_.contains(mesh)) return nullptr;
    forget();
    const std::stop_token cancel = making_[mesh].get_token();
    tryInBackground(
        this, [mesh, cancel] { return std::make_shared<const PickTree>(mesh, cancel); },
        [this, mesh, cancel](const Outcome<PickTreeRef>& outcome) {
            if (!outcome.value || cancel.stop_requested()) return;
            making_.erase(mesh);
            trees_[mesh] = *outcome.value;
            Q_EMIT ready();
        });
    return nullptr;
}

void PickTrees::forget() {
    std::set<render::SceneMeshRef> shown;
    for (const MeshRole role : {MeshRole::coarse, MeshRole::refined, MeshRole::fitted,
                                MeshRole::truth, MeshRole::comparison}) {
        shown.insert(meshOf(document_, role));
    }
    std::erase_if(trees_, [&](const auto& entry) { return !shown.contains(entry.first); });
    std::erase_if(making_, [&](auto& entry) {
        return !shown.contains(entry.first) && entry.second.request_stop();
    });
}

}  // namespace threefold::ui
