#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include <QObject>

#include "engine/metrics/alignment.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/document.h"
#include "ui/document/shown_values.h"
#include "ui/files/file_reading.h"
#include "ui/results/quantities.h"

namespace threefold::ui {

class InputPanel;
class Viewport;

/// OpenedMesh::origin of the reference or of the first mesh that is open in another place; none
/// where nothing is.
std::optional<glm::dvec3> originOfOpened(const Document& document,
                                         std::optional<MeshId> besides = {});

/// Without a result: the camera shows all opened meshes and what they are judged against.
void frameOpened(const Document& document, Viewport& viewport);

/// An opened mesh, of a file or of another result, beside the shown result or alone. The newest
/// request wins.
class Comparison : public QObject {
    Q_OBJECT

  public:
    Comparison(const WindowParts& parts, InputPanel& input, Viewport& viewport,
               FileReading& reading, MeshId id);

    MeshId id() const { return id_; }
    /// Neither shown, nor hidden with its item, nor being read.
    bool free() const { return !compared_.file && !compared_.result && pending_.expired(); }
    /// Of a file, shown, hidden or being read; not of another result.
    bool isOfFile() const { return compared_.file || !pending_.expired(); }
    /// The compared mesh's file; empty: nothing is compared, or a result's mesh.
    const std::filesystem::path& file() const;
    std::optional<MeshSpace> space() const {
        return isShown() && compared_.file ? std::optional(compared_.space) : std::nullopt;
    }
    bool spaceGuessed() const { return compared_.guessed; }
    /// Without `space`: detected from its coordinates.
    void compare(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    /// The final mesh of another result beside the shown one. With a title it is a second network's
    /// of the same input, and not kept beside another item.
    void compare(const ResultRef& result, const QString& title = {});
    void setSpace(MeshSpace space);
    /// Between the world's and the reference view's.
    void turnSpace() { setSpace(space() == MeshSpace::world ? MeshSpace::view : MeshSpace::world); }
    void close();  ///< or forgets the hidden one

    /// Whether the file's mesh has another place or size than the sample's.
    bool outOfFrame() const;
    /// Lays it upon the truth, or else upon the result (alignTo()), in the background.
    void bringIntoFrame();
    void putBack();  ///< where its file says
    struct Moved {
        Alignment by;
        std::optional<double> fBefore;  ///< F(τ) in percent where the file says; none: not measured
    };
    const std::optional<Moved>& moved() const { return compared_.moved; }

    /// A compared mesh belongs to the item it was opened beside: it is hidden while another item is
    /// shown. The names of the hidden mesh and its item, until another mesh is compared.
    struct Left {
        QString name;
        QString item;
    };
    std::optional<Left> left() const;
    void compareLeft();  ///< beside the item that is shown now

  Q_SIGNALS:
    /// For the recent files.
    void opened(const std::filesystem::path& file);
    /// The compared mesh, its space or left() has changed.
    void changed();

  private:
    /// How the file's coordinates were transformed to the world.
    struct Placement {
        std::optional<Camera> camera;            ///< set for camera space
        std::shared_ptr<const PosedPhotos> own;  ///< set for the user's own photographs
    };

    struct Compared {
        std::shared_ptr<const MeshFile> file;
        SurfacePaint paint;  ///< the file's own colours
        ResultRef result;
        MeshSpace space = MeshSpace::world;
        bool guessed = false;
        SampleRef item;      ///< it belongs to; null: the next one shown
        QString title = {};  ///< of a second network's
        std::optional<Moved> moved = {};

        QString name() const;
    };

    bool isShown() const { return !left_ && (compared_.file || compared_.result); }
    SampleRef presentItem() const;  ///< null: none, or not known yet
    void setCompared(Compared compared);
    Placement placement() const;
    void place();
    render::SceneMeshRef target() const;  ///< that it should lie upon; null: none
    void publish(OpenedMeshRef mesh);
    void followItem();
    void followResult();

    WindowParts parts_;
    InputPanel& input_;
    Viewport& viewport_;
    FileReading& reading_;
    MeshId id_;
    NewestRequest request_;
    std::weak_ptr<void> pending_;  // alive while a file is read
    Compared compared_;
    bool left_ = false;  // hidden: another item is shown
    Placement placed_;
    struct {
        render::SceneMeshRef mesh, upon;
        bool out = false;
    } mutable frame_;  // outOfFrame() of these meshes, which may be large
};

}  // namespace threefold::ui
