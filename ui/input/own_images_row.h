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

class InputPanel;

class CameraEditor;

/// Opens own images, and folders of them, which cannot be opened as samples for want of cameras.
/// For photographs without cameras, a row below the slots: how many of them show the printed board
/// (engine/photo_cameras/photo_cameras.h), and a button that finds cameras and outlines by it,
/// writes them beside the photographs, and reconstructs. Where no board is seen, opens the camera
/// editor, and offers to find them as of an object that was turned evenly (findTurntableCameras()).
class OwnImages : public QWidget {
    Q_OBJECT

  public:
    /// `cameras` must outlive it.
    OwnImages(const WindowParts& parts, InputPanel& input, CameraEditor& cameras);

    /// Returns at once. With known cameras, opens them like any sample; otherwise shows them, and
    /// the camera editor unless they show a board.
    void open(const std::vector<std::filesystem::path>& images);

  private:
    void tryAsPhotographs(const std::filesystem::path& folder);
    /// Looks for the board in the input's photographs. Shown until the input has others.
    void look();
    void found(const std::vector<std::size_t>& markers);
    void calibrate();
    void finish(const std::filesystem::path& cameras, const QString& outcome,
                const std::vector<std::string>& remarks);
    void follow();
    void saveBoard();

    WindowParts parts_;
    InputPanel& input_;
    CameraEditor& cameras_;
    QLabel* says_;
    QPushButton* button_;
    std::vector<std::filesystem::path> photographs_;
    bool boardSeen_ = false;
    NewestRequest request_;
};

}  // namespace threefold::ui
