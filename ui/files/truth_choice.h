#pragma once

#include <filesystem>
#include <optional>

#include <QObject>

#include "engine/sample/mesh_space.h"
#include "ui/document/newest_task.h"
#include "ui/files/file_tasks.h"
#include "ui/files/file_watch.h"

namespace threefold::ui {

/// Truth chosen by the user in place of the sample's.
class TruthChoice : public QObject {
    Q_OBJECT

  public:
    TruthChoice(const FeatureContext& context, FileTasks& tasks);

    /// Measures the shown result against this truth without running the network again; waits for a
    /// result that is being computed. Without a sample, measures the opened meshes.
    void choose(const std::filesystem::path& file, std::optional<MeshSpace> space = {});
    /// Sets the truth for the next result, of another sample. Empty: that sample keeps its own
    /// truth.
    void chooseForNext(const std::filesystem::path& file);

  Q_SIGNALS:
    /// A file was opened; for the list of recent files.
    void opened(const std::filesystem::path& file);

  private:
    struct Truth {
        std::filesystem::path file;
        std::optional<MeshSpace> space;
    };

    /// Measures the shown result against the pending truth, in the background.
    void measurePending();
    /// Reads the truth that opened meshes are measured against without a sample.
    void setReference(const std::filesystem::path& file);

    FeatureContext context_;
    FileTasks& tasks_;
    FileWatch watch_;  // of the document's reference
    NewestTask request_;
    std::optional<Truth> pending_;  // waits for a result
};

}  // namespace threefold::ui
