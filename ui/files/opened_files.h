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

/// Files to open.
struct Opening {
    std::vector<std::filesystem::path> files = {};
    OpenAs how = OpenAs::automatic;
    std::vector<int> views = {};            ///< of a sample; empty: suggestedViews()
    std::filesystem::path comparison = {};  ///< a mesh to compare; empty: none
    std::filesystem::path truth = {};       ///< replaces the sample's truth; empty: keeps it
};

/// Opens files from the menu, the command line, drops and sessions: decides for each what it is and
/// which feature opens it.
class OpenedFiles : public QObject {
    Q_OBJECT

  public:
    OpenedFiles(const WindowParts& parts, InputPanel& input, Viewport& viewport);

    void open(const Opening& opening);
    FileReading& reading() { return reading_; }
    /// The comparisons of MeshId::opened(1), opened(2), …: as many as were ever open at once, one
    /// at least.
    const std::vector<Comparison*>& comparisons() const { return comparisons_; }
    /// The comparison of MeshId::opened(place + 1), made where there was none.
    Comparison& comparison(std::size_t place);
    /// For another mesh: that of the same file, the first free one, or else a new one.
    Comparison& nextComparison(const std::filesystem::path& file = {});
    TruthChoice& truth() { return truth_; }

  Q_SIGNALS:
    /// A further one of comparisons() is there.
    void comparisonAdded(threefold::ui::Comparison* comparison);
    /// For the recent files.
    void opened(const std::filesystem::path& file);
    void sessionAsked(const std::filesystem::path& file);
    /// The user's own photographs.
    void imagesAsked(const std::vector<std::filesystem::path>& images);
    /// A list of samples to evaluate, and a network's weights.
    void listAsked(const std::filesystem::path& file);
    void modelAsked(const std::filesystem::path& file);

  private:
    Comparison& addComparison();

    WindowParts parts_;
    InputPanel& input_;
    Viewport& viewport_;
    FileReading reading_;
    NewestRequest checking_;
    std::vector<Comparison*> comparisons_;
    TruthChoice truth_;
};

/// The features that have to do with files: opening, dropping, recent ones, sessions. `models` must
/// outlive them.
OpenedFiles& addFiles(const WindowParts& parts, InputPanel& input, Viewport& viewport,
                      Worker& worker, NetworkMenu& networks, PaneHeaders& headers);

}  // namespace threefold::ui
