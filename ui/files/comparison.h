#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include <QObject>

#include "engine/sample/mesh_space.h"
#include "ui/document/document.h"
#include "ui/document/surface_paint.h"
#include "ui/files/file_reading.h"

namespace threefold::ui {

/// The compared mesh, of a file or of another result, beside the shown result or alone. The newest
/// request wins.
class Comparison : public QObject {
    Q_OBJECT

  public:
    Comparison(const WindowParts& parts, FileReading& reading);

    /// The compared mesh's file; empty: nothing is compared, or a result's mesh.
    const std::filesystem::path& file() const;
    std::optional<MeshSpace> space() const;
    bool spaceGuessed() const { return compared_.guessed; }
    /// Without `space`: detected from its coordinates.
    void compare(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    /// The final mesh of another result beside the shown one.
    void compare(const ResultRef& result);
    void setSpace(MeshSpace space);
    /// Judges it against another file, while there is no result.
    void judgeAgainst(OpenedMeshRef reference);
    void close();

    /// A compared mesh belongs to the item it was opened beside. When another item is shown it
    /// goes, and it comes back with its item. Its name and that item's, for as long as nothing else
    /// is compared.
    struct Left {
        QString name;
        QString item;
    };
    std::optional<Left> left() const;
    void compareLeft();  ///< beside the item that is shown now

  Q_SIGNALS:
    /// For the recent files.
    void opened(const std::filesystem::path& file);
    /// The compared mesh or its space has changed, or what is said of it.
    void changed();

  private:
    /// How the file's coordinates were taken into the world.
    struct Placement {
        std::optional<Camera> camera;            ///< set for camera space
        std::shared_ptr<const PosedPhotos> own;  ///< set for the world of own photographs
    };

    struct Compared {
        std::shared_ptr<const MeshFile> file;
        SurfacePaint paint;  ///< the file's own colours
        ResultRef result;
        MeshSpace space = MeshSpace::world;
        bool guessed = false;
        SampleRef item;  ///< that it belongs to; null: to the first that comes

        QString name() const;
    };

    bool shown() const { return !left_ && (compared_.file || compared_.result); }
    SampleRef presentItem() const;  ///< null: none, or not known yet
    void take(Compared compared);
    Placement placement() const;
    void place();
    void publish(OpenedMeshRef mesh, OpenedMeshRef reference);
    void showAlone();
    void followItem();
    void followResult();

    WindowParts parts_;
    FileReading& reading_;
    NewestRequest request_;
    Compared compared_;
    bool left_ = false;  // the compared mesh went with its item
    Placement placed_;
};

}  // namespace threefold::ui
