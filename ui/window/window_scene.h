#pragma once

#include <cstdint>

#include <QWidget>

#include "ui/window/window_models.h"

namespace threefold::ui {

class Viewport;

/// Keeps the scene of the panes up to date with the models and with the window's palette, and
/// reports when awaited pictures are on the screen. Child of the window. GUI thread only.
class WindowScene : public QObject {
    Q_OBJECT

  public:
    /// The models and `viewport` must outlive this object.
    WindowScene(QWidget& window, const WindowModels& models, Viewport& viewport);

    /// Gives the viewport a new scene of the models.
    void show();
    /// Emits pictureShown() once the viewport's newest scene is on the screen.
    void awaitPicture();
    /// Emits partialShown() once the viewport's newest scene is on the screen, unless the
    /// reconstruction ends before.
    void awaitPartial();
    /// Serial of the first scene with the document's result; 0 before the first result.
    std::uint64_t firstSerialOfResult() const { return firstSerialOfResult_; }

  Q_SIGNALS:
    void firstFrameShown();
    void partialShown();
    void pictureShown();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void connectModels();
    void onPresented(quint64 serial);

    QWidget& window_;
    const WindowModels models_;
    Viewport& viewport_;
    std::uint64_t awaitedSerial_ = 0;  // scene that pictureShown() waits for; 0: none
    std::uint64_t firstSerialOfResult_ = 0;
    std::uint64_t partialSerial_ = 0;  // scene that partialShown() waits for; 0: none
    bool firstFrame_ = true;
};

}  // namespace threefold::ui
