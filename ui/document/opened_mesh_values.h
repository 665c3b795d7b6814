#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "ui/document/document.h"
#include "ui/document/newest_task.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

/// Surface values of the opened meshes. Since opened meshes may be large, the values are computed
/// on the thread pool on first use, and cached while mesh and truth stay. A child of its document.
/// GUI thread only.
class OpenedMeshValues : public QObject {
    Q_OBJECT

  public:
    explicit OpenedMeshValues(Document& document);

    /// The values of an opened mesh. Without values, SurfaceValues::reason says why: they are being
    /// computed, or the mesh has none.
    SurfaceValues values(MeshId id, Quantity quantity) const;
    /// Whether an opened mesh can have values that are not computed yet.
    bool isPending(MeshId id, Quantity quantity) const;
    /// Whether at least one opened mesh has values of this quantity or will have them.
    bool mayHaveValues(Quantity quantity) const;
    bool isBusy() const { return running_ > 0; }

  Q_SIGNALS:
    /// More values are ready.
    void changed();

  private:
    /// Mesh, quantity, and for Quantity::fileValues the name of the values in the file.
    using Key = std::tuple<render::SceneMeshRef, Quantity, std::string>;

    Key keyOf(const render::SceneMeshRef& mesh, Quantity quantity) const;

    QString missingReason(const OpenedMeshRef& opened, Quantity quantity) const;
    void dropUnused();
    void compute();

    Document& document_;
    render::SceneMeshRef truth_;  ///< points of the truth for `values_`
    std::map<Key, SurfaceValues> values_;
    std::set<Key> requested_;
    NewestTask valuesTask_;  ///< stopped when the truth changes
    std::stop_token truthToken_ = valuesTask_.restart();
    int running_ = 0;
};

}  // namespace threefold::ui
