#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include <QWidget>

#include "ui/document/background.h"
#include "ui/document/newest_task.h"
#include "ui/shell/feature_context.h"

class QAction;
class QBoxLayout;
class QPushButton;
class QToolButton;

namespace threefold {
struct ColmapCamerasResult;
struct TurntableCamerasResult;
}  // namespace threefold

namespace threefold::ui {

class CameraEditor;
class InputPanel;

/// Row of the page of photographs (PhotographsPage) for photographs without cameras. The row's
/// button finds cameras and masks by the method that suits the photographs, writes both beside the
/// photographs, and reconstructs. If fewer than two photographs show the board, the row opens the
/// camera editor too, and has a second button for COLMAP where COLMAP is installed.
class FindCamerasRow : public QWidget {
    Q_OBJECT

  public:
    /// `cameras` must outlive the row.
    FindCamerasRow(const FeatureContext& context, InputPanel& input, CameraEditor& cameras,
                   QBoxLayout& page);

    /// Shows the row, and looks for the board's markers in the input's photographs.
    void findMarkers();

  private:
    /// Method of finding cameras.
    enum class Method {
        board,      ///< findBoardCameras()
        turntable,  ///< findTurntableCameras(): equal turns
        colmap,     ///< findMarkerlessCameras()
    };
    static constexpr std::size_t kMethods = 3;

    void addCommands();
    void openCameraFile();
    /// Offers the methods that suit the photographs. `markers`: number of markers in each.
    void showMarkers(const std::vector<std::size_t>& markers, bool isColmapInstalled);
    void showColmap(bool isInstalled);
    /// `count`: photographs that show the board.
    void showBoard(std::ptrdiff_t count, const std::vector<std::size_t>& markers);
    void explainMissingBoard(bool isColmapInstalled);
    void findByShownMethod();
    void findByBoard();
    void findByTurntable();
    void findByColmap();
    template <class Search, class ShowResult>
    void find(const QString& text, const std::stop_token& cancel, const Search& search,
              const ShowResult& showResult);
    template <class Search, class ShowResult>
    void findQuickly(const Search& search, const ShowResult& showResult);
    QAction*& command(Method method) { return commands_[static_cast<std::size_t>(method)]; }
    /// Enables the commands for these methods, disables the others.
    void enableCommands(std::initializer_list<Method> methods);
    static QString turntableTooltip();
    /// `reprojectionError`: mean, in pixels.
    static QString outcomeText(std::size_t cameras, std::size_t photographs,
                               double reprojectionError);
    /// Calls finish() with the result's remarks, then `choice` unless it is empty
    /// (MarkerlessCamerasResult::choice).
    void finishColmap(const ColmapCamerasResult& result, const std::string& choice);
    void finishTurntable(const TurntableCamerasResult& result, const std::string& choice);
    /// Opens the sample with the found cameras; shows `outcome`, and the remarks in the banner,
    /// the gravest first.
    void finish(const std::filesystem::path& cameras, const QString& outcome,
                const std::vector<std::string>& remarks);
    void updateFromInput();
    void saveBoard();

    FeatureContext context_;
    InputPanel& input_;
    CameraEditor& cameras_;
    QLabel* label_;
    QPushButton* button_;
    QPushButton* colmap_;           ///< "By COLMAP", or "Cancel" while COLMAP runs
    QWidget* otherMethods_;         ///< buttons for the other methods
    QToolButton* turntableButton_;  ///< shown where a board is seen
    std::array<QAction*, kMethods> commands_{};
    std::vector<std::filesystem::path> photographs_;
    bool boardSeen_ = false;
    bool colmapRuns_ = false;
    NewestTask request_;  ///< the search for markers or cameras
};

/// Adds the row to `page`, and its commands. `cameras` must outlive the row.
FindCamerasRow& addFindCamerasRow(const FeatureContext& context, InputPanel& input,
                                  CameraEditor& cameras, QBoxLayout& page);

}  // namespace threefold::ui
