#pragma once

#include <map>
#include <memory>
#include <stop_token>

#include <QObject>

#include "ui/document/document.h"
#include "ui/panes/picking.h"

namespace threefold::ui {

/// Cache of the pick trees of the document's meshes. A tree is built on the thread pool on first
/// use, and dropped or cancelled once its mesh is replaced. GUI thread only.
class PickTrees : public QObject {
    Q_OBJECT

  public:
    PickTrees(const Document& document, QObject* parent);
    ~PickTrees() override {
        for (auto& [mesh, source] : building_) source.request_stop();
    }

    /// The mesh's tree. Null while the tree is being built; ready() follows unless building fails
    /// or the mesh is replaced. Also null for a null mesh and for a mesh without vertices.
    PickTreeRef findOrBuild(const render::SceneMeshRef& mesh);

  Q_SIGNALS:
    void ready();

  private:
    void dropUnused();

    const Document& document_;
    std::map<render::SceneMeshRef, PickTreeRef> trees_;
    std::map<render::SceneMeshRef, std::stop_source> building_;
};

}  // namespace threefold::ui
