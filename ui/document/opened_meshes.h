#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <QObject>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"
#include "ui/results/result.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

/// A mesh or point cloud from the user's file, to compare with the network's meshes.
struct OpenedMesh {
    std::filesystem::path path;
    render::SceneMeshRef mesh;  ///< in ShapeNet's world space like the result's meshes
    /// Points to measure other meshes against; may be null.
    render::SceneMeshRef points = nullptr;
    /// LoadedMesh::origin of the file opened first. Coordinates of `mesh` and `points` are relative
    /// to this origin, unless a camera, posed photographs or an alignment placed the mesh.
    glm::dvec3 origin{0.0};
    QString title = {};  ///< name of a mesh without a file: "Result · views 0, 6, 7"
    /// Second network's result for the shown result's input, if `mesh` comes from one; else null.
    ResultRef result = {};
    /// LoadedMesh::scalars, values of `mesh`'s vertices; null: none.
    std::shared_ptr<const std::vector<VertexScalars>> scalars = nullptr;
    std::shared_ptr<const SurfaceIndex> surface = nullptr;  ///< of a reference with faces; or null
    /// Whether the mesh gets a pane of its own when it is opened beside chosen panes (Look::panes).
    /// False for a mesh of a session, which has chosen the panes.
    bool takesPane = true;

    QString name() const { return title.isEmpty() ? fileName(path) : title; }
};
using OpenedMeshRef = std::shared_ptr<const OpenedMesh>;

/// Model of the meshes that the user opened, and of the reference file. GUI thread only.
class OpenedMeshes : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    /// Finds an opened mesh; null: none with this id.
    const OpenedMeshRef& find(MeshId id) const;
    /// The first opened mesh, or null. By default it takes the first pane instead of the network's
    /// first mesh; without a result it is shown alone.
    const OpenedMeshRef& first() const;
    /// Opens a mesh, or closes it by null; signals only a change. Does nothing for kResultMeshes.
    void set(MeshId id, OpenedMeshRef mesh);
    /// Ids of the opened meshes.
    std::vector<MeshId> ids() const;
    /// kResultMeshes, existing or not, and ids().
    std::vector<MeshId> idsWithResult() const;

    /// Reference file that opened meshes are measured against if there is no result; or null.
    const OpenedMeshRef& reference() const { return reference_; }
    void setReference(OpenedMeshRef reference);  ///< signals only a change

    /// Names of the values in the files of opened meshes, each once.
    std::vector<std::string> fileValueNames() const;

  Q_SIGNALS:
    /// Emitted for an opened mesh, or the reference, as ResultModel::replaced() and changed().
    void replaced();
    void changed();

  private:
    std::vector<OpenedMeshRef> meshes_;  // null: closed
    OpenedMeshRef reference_;
};

}  // namespace threefold::ui
