#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <variant>

#include <QObject>

#include "engine/geometry/alignment.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/document.h"
#include "ui/document/newest_task.h"
#include "ui/document/shown_document.h"
#include "ui/files/file_tasks.h"
#include "ui/files/mesh_placement.h"
#include "ui/files/opened_file_reader.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

class InputModel;
class MeasuredMeshes;

/// OpenedMesh::origin of the reference, or else of the first opened mesh other than `except`;
/// none: nothing is open.
std::optional<glm::dvec3> originOfOpened(const Document& document,
                                         std::optional<MeshId> except = {});

/// Source of an opened mesh: a file, or another result. Reads the mesh, moves it into the world,
/// and shows it beside the result or alone. Only the newest request counts. A file is read again
/// when it changes. A mesh belongs to the sample beside which it was opened, and is hidden while
/// another sample is shown.
class OpenedMeshSource : public QObject {
    Q_OBJECT

  public:
    OpenedMeshSource(const FeatureContext& context, FileTasks& tasks, MeshId id);

    MeshId id() const { return id_; }
    /// Whether no mesh is shown, hidden with its sample, or being read.
    bool isFree() const { return isEmpty() && !reader_.isReading(); }
    /// Whether a mesh from a file is shown, hidden or being read.
    bool isOfFile() const { return fileContent() != nullptr || reader_.isReading(); }
    /// File of the shown mesh; empty: no mesh is shown, or the mesh is from a result.
    const std::filesystem::path& file() const;
    /// Space of the shown mesh's file; none: no mesh is shown, or the mesh is from a result.
    std::optional<MeshSpace> space() const {
        return isShown() && fileContent() != nullptr ? std::optional(fileContent()->space)
                                                     : std::nullopt;
    }
    bool isSpaceDetected() const {
        return fileContent() != nullptr && fileContent()->isSpaceDetected;
    }
    /// Reads and shows a mesh. Without `space`, the space is detected from the coordinates.
    void open(const std::filesystem::path& file, std::optional<MeshSpace> space = {}) {
        read(file, space, true);
    }
    /// Like open(), for a mesh of a session: without OpenedMesh::takesPane.
    void restore(const std::filesystem::path& file, std::optional<MeshSpace> space) {
        read(file, space, false);
    }
    /// Shows the final mesh of another result. With a title, the mesh is a second network's mesh of
    /// the shown result's input; such a mesh is not kept when another sample is shown.
    void showResult(const ResultRef& result, const QString& title = {});
    void setSpace(MeshSpace space);
    /// Switches between world space and the reference view's camera space.
    void toggleSpace() {
        setSpace(space() == MeshSpace::world ? MeshSpace::camera : MeshSpace::world);
    }
    void close();  ///< closes the shown mesh, or forgets the hidden one

    /// Whether position or size of the file's mesh differs from the truth's or, without a truth,
    /// from the result's.
    bool needsAlignment() const;
    /// Aligns the mesh with the truth, or else with the result (alignByIcp()), in the background.
    void align();
    void undoAlignment();  ///< undoes align()
    /// The alignment of the file's mesh; none: the mesh is at the file's coordinates.
    std::optional<MeshAlignment> alignment() const {
        return fileContent() != nullptr ? fileContent()->alignment : std::nullopt;
    }

    /// Names of a hidden mesh and of its sample.
    struct Hidden {
        QString name;
        QString sample;
    };
    /// The hidden mesh; none: no mesh is open, or the mesh is shown.
    std::optional<Hidden> hidden() const;
    void showAgain();  ///< shows the hidden mesh beside the current sample

  Q_SIGNALS:
    /// A file was opened; for the list of recent files.
    void opened(const std::filesystem::path& file);
    /// The mesh, its space or hidden() has changed.
    void changed();

  private:
    /// A mesh from a file.
    struct FileContent {
        std::shared_ptr<const LoadedMesh> file;  ///< not null
        SurfacePaint paint;                      ///< the file's own colours
        MeshSpace space = MeshSpace::world;
        bool isSpaceDetected = false;
        bool takesPane = true;  ///< OpenedMesh::takesPane
        std::optional<MeshAlignment> alignment = {};
    };
    /// The final mesh of another result.
    struct ResultContent {
        ResultRef result;            ///< not null
        QString secondNetwork = {};  ///< title of the mesh of a second network; else empty
        bool isOfSecondNetwork() const { return !secondNetwork.isEmpty(); }
    };
    struct Content {
        std::variant<std::monostate, FileContent, ResultContent> mesh;
        SampleRef sample;  ///< the mesh's sample; null: the next sample shown

        QString name() const;
    };

    bool isEmpty() const { return std::holds_alternative<std::monostate>(content_.mesh); }
    bool isShown() const { return !hidden_ && !isEmpty(); }
    /// The content if it is from a file (fileContent()), or from a result (resultContent()); else
    /// null.
    FileContent* fileContent() { return std::get_if<FileContent>(&content_.mesh); }
    const FileContent* fileContent() const { return std::get_if<FileContent>(&content_.mesh); }
    const ResultContent* resultContent() const {
        return std::get_if<ResultContent>(&content_.mesh);
    }
    void read(const std::filesystem::path& file, std::optional<MeshSpace> space, bool takesPane);
    void watchFile();
    SampleRef currentSample() const;  ///< null: none, or not known yet
    void setContent(Content content);
    MeshPlacement placement() const;
    void readAgain();
    void transformMesh();
    render::SceneMeshRef target() const;  ///< the mesh to align with; null: none
    void publish(OpenedMeshRef mesh);
    void updateFromSample();
    void updateFromResult();

    FeatureContext context_;
    FileTasks& tasks_;
    MeshId id_;
    OpenedFileReader reader_;
    NewestTask request_;
    Content content_;
    bool hidden_ = false;  // another sample is shown
    MeshPlacement appliedPlacement_;
    /// Last answer of needsAlignment(), with the compared meshes. Kept since large meshes take long
    /// to compare.
    struct AlignmentCheck {
        render::SceneMeshRef mesh, target;
        bool needsAlignment = false;
    };
    mutable AlignmentCheck alignmentCheck_;
};

}  // namespace threefold::ui
