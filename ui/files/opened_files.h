#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QTimer>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/document/surface_paint.h"
#include "ui/files/file_kinds.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// Files to open.
struct Opening {
    std::vector<std::filesystem::path> files = {};
    OpenAs how = OpenAs::automatic;
    std::vector<int> views = {};            ///< of a sample; empty: the published 0, 6, 7
    std::filesystem::path comparison = {};  ///< a mesh to compare; empty: none
    std::filesystem::path truth = {};       ///< replaces the sample's truth; empty: keeps it
};

/// Opens files from the menu, the command line, drops and sessions. Reads in the background; the
/// newest request wins. A file that cannot be read is reported in the banner and changes nothing.
class OpenedFiles : public QObject {
    Q_OBJECT

  public:
    explicit OpenedFiles(const WindowParts& parts);

    void open(const Opening& opening);
    /// A file is being read.
    bool busy() const { return reading_ > 0; }
    void cancel();

    /// The compared mesh's file; empty: none, or it is of no file.
    const std::filesystem::path& comparisonFile() const;
    std::optional<MeshSpace> comparisonSpace() const {
        return compared_.file ? std::optional(compared_.space) : std::nullopt;
    }
    bool spaceGuessed() const { return compared_.guessed; }
    /// Without `space`: detected from its coordinates.
    void compare(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    /// The final mesh of another result beside the shown one.
    void compare(const ResultRef& result);
    void setComparisonSpace(MeshSpace space);
    void closeComparison();

    /// A compared mesh belongs to the item it was opened beside. When another item is shown it
    /// goes, and it comes back with its item. Its name and that item's, for as long as nothing else
    /// is compared.
    struct Left {
        QString name;
        QString item;
    };
    std::optional<Left> left() const;
    void compareLeft();  ///< beside the item that is shown now
    void forgetLeft();

    /// Measures the shown result against this truth without running the network again. Waits for a
    /// result if there is none yet. Without a sample: the compared mesh is judged against it.
    void useTruth(const std::filesystem::path& file, std::optional<MeshSpace> space = {});

    /// Reports the problem.
    void refuse(const ErrorReport& report);

  Q_SIGNALS:
    /// For the recent files.
    void opened(const std::filesystem::path& file);
    void sessionAsked(const std::filesystem::path& file);
    /// A list of samples to evaluate, and a network's weights.
    void listAsked(const std::filesystem::path& file);
    void modelAsked(const std::filesystem::path& file);
    /// The compared mesh or its space has changed, or what is said of it.
    void comparisonChanged();
    void idle();
    void busyChanged();

  private:
    /// How the comparison's coordinates were taken into the world.
    struct Placement {
        std::optional<Camera> camera;            ///< set for camera space
        std::shared_ptr<const PosedPhotos> own;  ///< set for the world of own photographs
    };

    /// A mesh beside the result, or alone: of a file, in its own space, or of another result.
    struct Compared {
        std::shared_ptr<const MeshFile> file;
        SurfacePaint paint;  ///< the file's own colours
        ResultRef result;
        MeshSpace space = MeshSpace::world;
        bool guessed = false;
        SampleRef item;  ///< that it belongs to; null: to the first that comes

        bool any() const { return file || result; }
        QString name() const;
    };

    template <class Work, class Take>
    void read(const std::filesystem::path& file, NewestRequest& request, Work work, Take take);
    void started(const std::filesystem::path& file);
    void ended();
    Placement placement() const;
    void place();
    void take(Compared compared);
    void publish(OpenedMeshRef mesh);
    SampleRef presentItem() const;  ///< null: none, or not known yet
    void leave();
    void followItem();
    void followResult();
    void applyTruth();
    void judgeAgainst(const std::filesystem::path& file);
    void showAlone();

    WindowParts parts_;
    Compared compared_;
    std::optional<Compared> left_;  ///< went with its item
    OpenedMeshRef reference_;       ///< in place of a truth, without a sample
    Placement placed_;
    std::filesystem::path waitingTruth_;
    std::optional<MeshSpace> waitingTruthSpace_;
    NewestRequest comparing_;
    NewestRequest measuring_;
    int reading_ = 0;
    std::shared_ptr<std::atomic<float>> progress_ = std::make_shared<std::atomic<float>>(0.0F);
    QString readingName_;
    QTimer tell_;
};

}  // namespace threefold::ui
