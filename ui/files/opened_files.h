#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include <QObject>

#include "ui/files/comparison.h"
#include "ui/files/file_kinds.h"
#include "ui/files/file_reading.h"
#include "ui/files/truth_choice.h"

namespace threefold::ui {

class NetworkMenu;
class PaneHeaders;

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
    explicit OpenedFiles(const WindowParts& parts);

    void open(const Opening& opening);
    FileReading& reading() { return reading_; }
    /// One for each of kOpenedRoles.
    const std::array<Comparison*, kOpenedRoles.size()>& comparisons() const { return comparisons_; }
    /// For another mesh: that of the same file, the first free one, one that is hidden, or else the
    /// last.
    Comparison& nextComparison(const std::filesystem::path& file = {});
    TruthChoice& truth() { return truth_; }

  Q_SIGNALS:
    /// For the recent files.
    void opened(const std::filesystem::path& file);
    void sessionAsked(const std::filesystem::path& file);
    /// The user's own photographs.
    void imagesAsked(const std::vector<std::filesystem::path>& images);
    /// A list of samples to evaluate, and a network's weights.
    void listAsked(const std::filesystem::path& file);
    void modelAsked(const std::filesystem::path& file);

  private:
    WindowParts parts_;
    FileReading reading_;
    NewestRequest checking_;
    std::array<Comparison*, kOpenedRoles.size()> comparisons_;
    TruthChoice truth_;
};

/// The features that have to do with files: opening, dropping, recent ones, sessions. `models` must
/// outlive them.
OpenedFiles& addFiles(const WindowParts& parts, NetworkMenu& networks, PaneHeaders& headers);

}  // namespace threefold::ui
