#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <QWidget>

#include "ui/document/background.h"
#include "ui/shell/feature_context.h"

class QAction;
class QBoxLayout;
class QPushButton;
class QToolButton;

namespace threefold::ui {

class CameraEditor;
class InputPanel;

/// Row of the page of photographs (PhotographsPage) for photographs without cameras; also opens
/// images and folders that are no samples for want of cameras. The row counts the photographs that
/// show the printed board (engine/photo_cameras/board_photos.h). Its button finds cameras and
/// masks, writes both beside the photographs, and reconstructs. If no board is seen, the row opens
/// the camera editor, and the button assumes an object turned by equal steps
/// (findTurntableCameras()). Where COLMAP is installed, a second button finds cameras by COLMAP
/// (findColmapCameras()) and becomes Cancel while COLMAP runs.
class FindCamerasRow : public QWidget {
    Q_OBJECT

  public:
    /// `cameras` must outlive the row.
    FindCamerasRow(const FeatureContext& context, InputPanel& input, CameraEditor& cameras,
                   QBoxLayout& page);

    /// Opens images in the background, as by photographSample(). With known cameras, opens them
    /// like any sample; otherwise shows them, and the camera editor unless they show a board.
    void open(const std::vector<std::filesystem::path>& images, const std::vector<int>& views = {});

  private:
    void tryAsPhotographs(const std::filesystem::path& folder);
    /// Looks for the board's markers in the input's photographs.
    void findMarkers();
    void addCommands();
    void openCameraFile();
    void showMarkers(const std::vector<std::size_t>& markers, bool colmapIsThere);
    void calibrate();
    void findByBoard();
    void findByTurns();
    void findByColmap();
    template <class Search, class ShowResult>
    void find(const QString& text, const std::stop_token& cancel, const Search& search,
              const ShowResult& showResult);
    template <class Search, class ShowResult>
    void findQuickly(const Search& search, const ShowResult& showResult);
    void enableCommands(bool board, bool turns, bool colmap);
    void finish(const std::filesystem::path& cameras, const QString& outcome,
                const std::vector<std::string>& remarks);
    void updateFromInput();
    void saveBoard();

    FeatureContext context_;
    InputPanel& input_;
    CameraEditor& cameras_;
    QLabel* label_;
    QPushButton* button_;
    QPushButton* colmap_;  ///< "By COLMAP", or "Cancel" while COLMAP runs
    QWidget* otherWays_;   ///< buttons of the ways that the row does not propose
    QToolButton* turns_;   ///< shown where a board is seen
    QAction* byBoard_;
    QAction* byTurns_;
    QAction* byColmap_;
    std::vector<std::filesystem::path> photographs_;
    bool boardSeen_ = false;
    bool colmapRuns_ = false;
    RequestToken opening_;  ///< of open() and tryAsPhotographs()
    RequestToken request_;  ///< for markers or cameras
};

}  // namespace threefold::ui
