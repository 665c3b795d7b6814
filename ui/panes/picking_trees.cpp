#include "ui/panes/picking_trees.h"

#include <array>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include "ui/panes/compare_arrangement.h"

namespace threefold::ui {

PickTrees::PickTrees(const Document& document, QObject* parent)
    : QObject(parent), document_(document) {}

PickTreeRef PickTrees::find(const render::SceneMeshRef& mesh) {
    if (!mesh || mesh->vertices.empty()) return nullptr;
    const auto known = trees_.find(mesh);
    if (known != trees_.end()) return known->second;
    if (!making_.insert(mesh).second) return nullptr;
    forget();
    const QPointer<PickTrees> self(this);
    QThreadPool::globalInstance()->start([self, mesh] {
        auto tree = std::make_shared<const PickTree>(mesh);
        QMetaObject::invokeMethod(qApp, [self, mesh, tree = std::move(tree)] {
            if (!self) return;
            self->making_.erase(mesh);
            self->trees_[mesh] = tree;
            Q_EMIT self->ready();
        });
    });
    return nullptr;
}

void PickTrees::forget() {
    std::set<render::SceneMeshRef> shown;
    for (const MeshRole role :
         {MeshRole::coarse, MeshRole::refined, MeshRole::truth, MeshRole::comparison}) {
        shown.insert(meshOf(document_, role));
    }
    std::erase_if(trees_, [&](const auto& entry) { return !shown.contains(entry.first); });
}

}  // namespace threefold::ui
