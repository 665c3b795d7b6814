#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <QObject>
#include <QTimer>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/sample/mesh_space.h"
#include "ui/document/document.h"
#include "ui/files/file_kinds.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

/// What the window is to show of the disk.
struct Opening {
    std::vector<std::filesystem::path> files = {};
    OpenAs how = OpenAs::automatic;
    std::vector<int> views = {};            ///< of a sample; empty: the published 0, 6, 7
    std::filesystem::path comparison = {};  ///< a mesh beside it; empty: none
    std::filesystem::path truth = {};       ///< in place of the sample's; empty: its own
};

/// Opens whatever a person names, wherever they name it: menu, command line, drop, session. Reads
/// on a thread of the pool; the newest wins. What cannot be read is said in the banner and changes
/// nothing.
class OpenedFiles : public QObject {
    Q_OBJECT

  public:
    explicit OpenedFiles(const WindowParts& parts);
    ~OpenedFiles() override;

    void open(const Opening& opening);
    /// Whether a file is being read.
    bool busy() const { return reading_ > 0; }
    void cancel();

    /// The mesh that stands beside the result, or alone.
    const std::filesystem::path& comparisonFile() const;
    std::optional<MeshSpace> comparisonSpace() const;
    bool spaceGuessed() const { return guessed_; }
    /// Without `space`: guessed from where it lies.
    void compare(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    void setComparisonSpace(MeshSpace space);
    void closeComparison();

    /// Measures what is shown against this truth, without running the network again. Before there
    /// is a result it waits for one.
    void useTruth(const std::filesystem::path& file, std::optional<MeshSpace> space = {});

    /// Says what is wrong and leaves everything as it is.
    void refuse(const ErrorReport& report);

  Q_SIGNALS:
    /// For the recent files.
    void opened(const std::filesystem::path& file);
    void sessionAsked(const std::filesystem::path& file);
    /// The comparison is another, lies in another space, or is gone.
    void comparisonChanged();
    void idle();

  private:
    template <class Value>
    void inBackground(const std::filesystem::path& file, std::stop_source& stop,
                      std::function<Value(const MeshReading&)> work,
                      std::function<void(const Value&)> take);
    void started(const std::filesystem::path& file);
    void ended();
    void place();
    void followResult();
    void applyTruth();
    void showAlone(const render::SceneMesh& mesh);

    WindowParts parts_;
    std::shared_ptr<const MeshFile> file_;  ///< of the comparison, in its own space
    MeshSpace space_ = MeshSpace::world;
    bool guessed_ = false;
    std::optional<Camera> placedBy_;  ///< the reference camera that took it into the world
    std::shared_ptr<const OwnCameras> placedIn_;  ///< or whose own world it was taken from
    std::filesystem::path waitingTruth_;
    std::optional<MeshSpace> waitingTruthSpace_;
    std::stop_source comparisonStop_;
    std::stop_source truthStop_;
    int reading_ = 0;
    std::shared_ptr<std::atomic<float>> progress_ = std::make_shared<std::atomic<float>>(0.0F);
    QString readingName_;
    QTimer tell_;
};

}  // namespace threefold::ui
