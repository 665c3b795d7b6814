#pragma once

#include <filesystem>
#include <string>

#include <QObject>

#include "ui/document/fit_model.h"
#include "ui/document/look_model.h"
#include "ui/document/opened_meshes.h"
#include "ui/document/pointed_vertices.h"
#include "ui/document/result_model.h"
#include "ui/document/run_model.h"

namespace threefold::ui {

/// The models of a window, which commands change and panels read, and values that depend on several
/// of these models. GUI thread only.
class Document : public QObject {
  public:
    using QObject::QObject;

    ResultModel result;
    RunModel run{result};  ///< set by Reconstructor and, through `fit`, by FitRunner only
    FitModel fit{result, run};
    OpenedMeshes opened;
    LookModel look;
    PointedVertices pointed{result, opened, look};

    /// Whether a mesh is outdated. A mesh of the result is outdated if a reconstruction will
    /// replace the mesh, or if the input shows another sample. A mesh of the second network is
    /// outdated if a reconstruction is running, or if the mesh and the result have different
    /// inputs. False without a result.
    bool isStale(MeshId id) const;

    /// Points to measure meshes against: the points of the result's truth or, without a result,
    /// those of OpenedMeshes::reference(). May be null.
    render::SceneMeshRef truthPoints() const;
    /// truthPoints() and the surface of that truth, if the truth has faces.
    TruthShape truthShape() const;

    /// Whether an existing file is one that the document shows: a photograph, mask, camera file or
    /// truth of the result's sample, or an opened mesh. Such a file must not be replaced.
    bool shows(const std::filesystem::path& file) const;

    /// The mesh that a pane chosen for `id` (Look::panes) shows: MeshId::result in place of
    /// MeshId::fitted while the stage slider stands before the fitted mesh, if no chosen pane shows
    /// MeshId::result; else `id`. So the slider always changes a pane.
    MeshId shownForChosen(MeshId id) const;

    /// Up axis of the panes: z if Look::zUp is set and the opened meshes are shown alone (without a
    /// result or reconstruction), since files may have either axis; otherwise y.
    render::UpAxis shownUp() const;

    /// The quantity that colours the surfaces: the look's, or if that lacks its truth or its
    /// photographs, the best that the document has. A result has photographs; opened meshes may
    /// have own colours, or values in their files. None if overlaysMeshesAlone(), since each mesh
    /// then has a colour of its own.
    Quantity shownQuantity() const;
    /// Whether, without a result, two or more meshes are overlaid in one pane.
    bool overlaysMeshesAlone() const;
    /// Name of the values that Quantity::fileValues shows: Look::fileValues; if no opened mesh has
    /// values of that name, `quality`, or else the first of OpenedMeshes::fileValueNames(). Empty:
    /// no opened mesh has values.
    std::string fileValues() const;
};

}  // namespace threefold::ui
