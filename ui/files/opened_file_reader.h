#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include <QObject>

#include "engine/formats/meshes/mesh_files.h"
#include "ui/document/newest_task.h"
#include "ui/files/file_tasks.h"
#include "ui/files/file_watch.h"
#include "ui/files/mesh_paint.h"

namespace threefold::ui {

/// Reader of the file of an opened mesh: reads in the background, tells when the file changes, and
/// shows in the banner which parts of the file were left out. GUI thread only.
class OpenedFileReader : public QObject {
    Q_OBJECT

  public:
    using MeshRead = std::function<void(const std::shared_ptr<const LoadedMesh>& file,
                                        const SurfacePaint& paint)>;

    /// `banner` and `tasks` must outlive the reader.
    OpenedFileReader(Banner& banner, FileTasks& tasks, QObject* parent);

    /// Calls `onRead` with the mesh and its colours, unless a newer `request` has begun.
    void read(const std::filesystem::path& file, NewestTask& request, MeshRead onRead);
    bool isReading() const { return !pending_.expired(); }
    /// Watches this file in place of the previous one; empty: none.
    void watch(const std::filesystem::path& file) { watch_.watch(file); }
    /// Stops watching, and forgets a file that is being read.
    void reset();

  Q_SIGNALS:
    /// The watched file has new content.
    void fileChanged();

  private:
    Banner& banner_;
    FileTasks& tasks_;
    FileWatch watch_;
    std::weak_ptr<void> pending_;  // alive while a file is read
};

}  // namespace threefold::ui
