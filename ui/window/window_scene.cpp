#include "ui/window/window_scene.h"

#include <utility>

#include <QEvent>

#include "ui/document/connections.h"
#include "ui/panes/make_scene.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {

WindowScene::WindowScene(QWidget& window, const WindowModels& models, Viewport& viewport)
    : QObject(&window), window_(window), models_(models), viewport_(viewport) {
    connectModels();
    connect(&viewport, &Viewport::presented, this, &WindowScene::onPresented);
    window.installEventFilter(this);
}

void WindowScene::connectModels() {
    const Document& document = models_.document;
    connect(&document.result, &ResultModel::changed, this, [this] {
        show();
        firstSerialOfResult_ = viewport_.newestSerial();
    });
    connect(&document.fit, &FitModel::convergingMeshChanged, this, &WindowScene::show);
    connectAll(&document.pointed, this, &WindowScene::show, &PointedVertices::hoveredChanged,
               &PointedVertices::markedChanged, &PointedVertices::distanceEndsChanged);
    connect(&document.look, &LookModel::blinkingChanged, this, &WindowScene::show);
    connect(&document.run, &RunModel::changed, this, [this, &document] {
        show();
        if (!document.run.state().isReconstructing()) partialSerial_ = 0;
    });
    connect(&document.opened, &OpenedMeshes::changed, this, [this, &document] {
        show();
        if (!document.result.current()) awaitPicture();
    });
    connectChanged(this, &WindowScene::show, document.look, models_.openedValues,
                   models_.photographs, models_.cameraLayers, models_.photographPane);
}

void WindowScene::show() {
    viewport_.setScene(makeScene(models_.shown(), themeColours(window_.palette()),
                                 &models_.cameraLayers, &models_.photographPane));
}

void WindowScene::awaitPicture() {
    awaitedSerial_ = viewport_.newestSerial();
}

void WindowScene::awaitPartial() {
    partialSerial_ = viewport_.newestSerial();
}

void WindowScene::onPresented(quint64 serial) {
    if (std::exchange(firstFrame_, false)) Q_EMIT firstFrameShown();
    if (partialSerial_ != 0 && serial >= partialSerial_) {
        partialSerial_ = 0;
        Q_EMIT partialShown();
    }
    if (awaitedSerial_ == 0 || serial < awaitedSerial_) return;
    awaitedSerial_ = 0;
    Q_EMIT pictureShown();
}

// The panes' background follows the palette.
bool WindowScene::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::PaletteChange && watched == &window_) show();
    return false;
}

}  // namespace threefold::ui
