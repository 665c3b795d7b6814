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

    /// The compared mesh; empty: none.
    const std::filesystem::path& comparisonFile() const;
    std::optional<MeshSpace> comparisonSpace() const {
        return file_ ? std::optional(space_) : std::nullopt;
    }
    bool spaceGuessed() const { return guessed_; }
    /// Without `space`: detected from its coordinates.
    void compare(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    void setComparisonSpace(MeshSpace space);
    void closeComparison();

    /// Measures the shown result against this truth without running the network again. Waits for a
    /// result if there is none yet.
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
    /// The compared mesh or its space has changed.
    void comparisonChanged();
    void idle();

  private:
    /// How the comparison's coordinates were taken into the world.
    struct Placement {
        std::optional<Camera> camera;            ///< set for camera space
        std::shared_ptr<const PosedPhotos> own;  ///< set for the world of own photographs
    };

    template <class Work, class Take>
    void read(const std::filesystem::path& file, NewestRequest& request, Work work, Take take);
    void started(const std::filesystem::path& file);
    void ended();
    Placement placement() const;
    void place();
    void followResult();
    void applyTruth();
    void showAlone(const render::SceneMesh& mesh);

    WindowParts parts_;
    std::shared_ptr<const MeshFile> file_;  ///< of the comparison, in its own space
    SurfacePaint paint_;                    ///< its own colours
    MeshSpace space_ = MeshSpace::world;
    bool guessed_ = false;
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
