#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "ui/document/newest_task.h"
#include "ui/files/file_kinds.h"
#include "ui/files/file_tasks.h"
#include "ui/files/opened_mesh_source.h"
#include "ui/files/truth_choice.h"

namespace threefold::ui {

class NetworkClient;
class NetworkMenu;
struct WindowPanes;

/// Files to open, and their roles.
struct OpenRequest {
    std::vector<std::filesystem::path> files = {};
    FileRole filesRole = FileRole::byKind;
    std::vector<int> views = {};                  ///< of the sample; empty: suggestedViews()
    std::filesystem::path meshBesideResult = {};  ///< empty: none
    std::filesystem::path truth = {};             ///< replaces the sample's truth; empty: keeps it
};

/// Opens files from the menu, the command line, drops and sessions: determines the kind of each
/// file and the feature that opens it.
class OpenedFiles : public QObject {
    Q_OBJECT

  public:
    explicit OpenedFiles(const FeatureContext& context);

    /// Opens a session alone. Without a session, opens at most one sample and one list, and any
    /// number of meshes and models. The status line or the banner names the files that are not
    /// opened.
    void open(const OpenRequest& request);
    FileTasks& tasks() { return tasks_; }
    /// Sources of MeshId::opened(1), opened(2), …: at least one. Never shrinks.
    const std::vector<OpenedMeshSource*>& meshSources() const { return meshSources_; }
    /// The source of MeshId::opened(index + 1), created if missing.
    OpenedMeshSource& meshSource(std::size_t index);
    /// The source for another mesh: the source that shows this file, or else the first free source,
    /// or else a new source.
    OpenedMeshSource& nextMeshSource(const std::filesystem::path& file = {});
    TruthChoice& truthChoice() { return truthChoice_; }

  Q_SIGNALS:
    /// A source was added to meshSources().
    void meshSourceAdded(threefold::ui::OpenedMeshSource* source);
    /// A file was opened; for the list of recent files.
    void opened(const std::filesystem::path& file);
    void sessionRequested(const std::filesystem::path& file);
    /// The files are the user's own photographs. `views`: as in OpenRequest.
    void imagesRequested(const std::vector<std::filesystem::path>& images,
                         const std::vector<int>& views);
    /// The file is a list of samples to evaluate.
    void listRequested(const std::filesystem::path& file);
    /// The file holds the weights of a network.
    void modelRequested(const std::filesystem::path& file);

  private:
    struct SortedFiles;
    static SortedFiles sorted(const OpenRequest& request, bool hasResult);
    OpenedMeshSource& addMeshSource();
    void openSession(const std::filesystem::path& session, const OpenRequest& request);
    void openList(const std::filesystem::path& list);
    /// Opens the first sample, or else the images; false if there is neither.
    bool openSamples(const SortedFiles& files, const std::vector<int>& views);
    /// Shows in the banner which samples, images and lists open() has left out.
    void reportNotOpened(const SortedFiles& files);

    FeatureContext context_;
    FileTasks tasks_;
    NewestTask checkingList_, checkingImage_;
    std::vector<OpenedMeshSource*> meshSources_;
    TruthChoice truthChoice_;
};

/// Adds the features for files: opening, dropping, recent files, sessions, the second network.
/// `client` and `networks` must outlive these features.
OpenedFiles& addFiles(const FeatureContext& context, const WindowPanes& panes,
                      NetworkClient& client, NetworkMenu& networks);

}  // namespace threefold::ui
