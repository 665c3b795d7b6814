#pragma once

#include <filesystem>
#include <vector>

#include <QObject>

#include "ui/files/comparison.h"
#include "ui/files/file_kinds.h"
#include "ui/files/file_reading.h"
#include "ui/files/truth_choice.h"

namespace threefold::ui {

class InputPanel;
class Viewport;

class NetworkMenu;
class PaneHeaders;
class Worker;

/// Files to open and the role of each.
struct Opening {
    std::vector<std::filesystem::path> files = {};
    OpenAs how = OpenAs::automatic;
    std::vector<int> views = {};            ///< of the sample; empty: suggestedViews()
    std::filesystem::path comparison = {};  ///< a mesh to compare; empty: none
    std::filesystem::path truth = {};       ///< replaces the sample's truth; empty: keeps it
};

/// Opens files from the menu, the command line, drops and sessions: determines the kind of each
/// file and the feature that opens it.
class OpenedFiles : public QObject {
    Q_OBJECT

  public:
    OpenedFiles(const WindowParts& parts, InputPanel& input);

    /// Opens a session alone, and else one sample beside any number of meshes; names the files
    /// that it does not open.
    void open(const Opening& opening);
    FileReading& reading() { return reading_; }
    /// Comparisons of MeshId::opened(1), opened(2), …: at least one, and as many as were ever open
    /// at once.
    const std::vector<Comparison*>& comparisons() const { return comparisons_; }
    /// The comparison of MeshId::opened(index + 1), created if missing.
    Comparison& comparison(std::size_t index);
    /// The comparison for another mesh: the one of the same file, the first free one, or a new one.
    Comparison& nextComparison(const std::filesystem::path& file = {});
    TruthChoice& truth() { return truth_; }

  Q_SIGNALS:
    /// A comparison was added to comparisons().
    void comparisonAdded(threefold::ui::Comparison* comparison);
    /// A file was opened; for the list of recent files.
    void opened(const std::filesystem::path& file);
    void sessionRequested(const std::filesystem::path& file);
    /// The files are the user's own photographs.
    void imagesRequested(const std::vector<std::filesystem::path>& images);
    /// The file is a list of samples to evaluate, or the weights of a network.
    void listRequested(const std::filesystem::path& file);
    void modelRequested(const std::filesystem::path& file);

  private:
    struct SortedFiles;
    static SortedFiles sorted(const Opening& opening, bool hasResult);
    Comparison& addComparison();
    void openSession(const std::filesystem::path& session, const Opening& opening);
    void openList(const std::filesystem::path& list);
    /// Opens the first sample or the images; false if there is neither.
    bool openSamples(const SortedFiles& files, const std::vector<int>& views);

    WindowParts parts_;
    InputPanel& input_;
    FileReading reading_;
    NewestRequest checking_;
    std::vector<Comparison*> comparisons_;
    TruthChoice truth_;
};

/// Adds the features for files: opening, dropping, recent files, sessions, the second network.
/// `worker` and `networks` must outlive them.
OpenedFiles& addFiles(const WindowParts& parts, InputPanel& input, Viewport& viewport,
                      Worker& worker, NetworkMenu& networks, PaneHeaders& headers);

}  // namespace threefold::ui
