#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <QWidget>

#include "ui/document/background.h"
#include "ui/shell/window_parts.h"

class QPushButton;

namespace threefold::ui {

class CameraEditor;

/// Below the slots, for photographs without cameras: how many of them show the printed board
/// (engine/pipeline/photo_cameras.h), and a button that finds cameras and outlines by it, writes
/// them beside the photographs, and reconstructs. Where no board is seen, opens the camera editor,
/// and offers to find them as of an object that was turned evenly
/// (findTurntableCameras()).
class BoardRow : public QWidget {
    Q_OBJECT

  public:
    /// `cameras` must outlive it.
    BoardRow(const WindowParts& parts, CameraEditor& cameras);

    /// Looks for the board in the input's photographs; returns at once. Shown until the input has
    /// others.
    void look();

  private:
    void found(const std::vector<std::size_t>& markers);
    void calibrate();
    void calibrateByBoardSeen();
    void calibrateAsTurned();
    void fail(const ErrorReport& report);
    void finish(const std::filesystem::path& cameras, const QString& outcome,
                const std::vector<std::string>& remarks);
    void follow();
    void saveBoard();

    WindowParts parts_;
    CameraEditor& cameras_;
    QLabel* says_;
    QPushButton* button_;
    std::vector<std::filesystem::path> photographs_;
    bool boardSeen_ = false;
    NewestRequest request_;
};

}  // namespace threefold::ui
