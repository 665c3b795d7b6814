#pragma once

#include <memory>

#include <QImage>
#include <QMap>
#include <QWidget>

#include "ui/document/input_model.h"
#include "ui/input/thumbnails.h"
#include "ui/input/view_tiles.h"

class QBoxLayout;
class QLabel;
class QScrollArea;
class QToolButton;

namespace threefold::ui {

class CameraRing;
class ElidedLabel;
class ViewSlots;
class ViewStrip;

/// Left panel. Shows the input of the next reconstruction: the sample, the slots with the chosen
/// views, and all views. Turns clicks, drags and the wheel into edits of the model.
class InputPanel : public QWidget {
    Q_OBJECT

  public:
    /// `model` must outlive the panel. `cache` (not null) gets the views decoded for the tiles.
    InputPanel(InputModel& model, std::shared_ptr<ViewCache> cache, QWidget* parent = nullptr);

    InputModel& model() const { return model_; }
    /// The thumbnails decoded so far, by view.
    const QMap<int, QImage>& images() const { return images_; }

    /// Reloads the thumbnails after their files have changed. The old thumbnails stay until the new
    /// ones are ready.
    void reloadImages() {
        if (model_.sample()) thumbnails_.load(model_.sample(), model_.selection().views());
    }

    const std::shared_ptr<ViewCache>& cache() const { return cache_; }

    /// Switches scrubbing on or off. While it is on, dragging over the strip, the arrow keys of
    /// strip and camera ring, and the wheel over a slot scrub through the views.
    void setScrubbing(bool scrubbing) { scrubbing_ = scrubbing; }
    /// Switches turning of cameras on or off. While it is on, dragging a slot turns the slot's
    /// camera, and the wheel over a slot changes the camera's distance.
    void setTurning(bool turning);
    bool isTurning() const { return turning_; }

    ViewSlots& viewSlots() { return *slots_; }
    ViewStrip& strip() { return *strip_; }
    CameraRing& ring() { return *ring_; }

    /// Adds a feature's button that chooses views, below the slots; takes ownership, like
    /// addSampleButton() and addBelowSlots().
    void addChoiceButton(QWidget& button);
    /// Adds a feature's button right of the sample's name.
    void addSampleButton(QWidget& button);
    /// Adds a feature's widget between slots and strip.
    void addBelowSlots(QWidget& widget);

  Q_SIGNALS:
    /// images() has changed.
    void imagesChanged();
    /// isTurning() has changed.
    void turningChanged();

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void shareHeight();
    void layOut();
    void connectSlots();
    void connectDrags();
    void updateFromState();
    void markDropTarget(ViewTile* from, QPoint position);
    void drop(ViewTile* from, QPoint position);
    void refresh();

    InputModel& model_;
    SampleRef shownSample_;
    const std::shared_ptr<ViewCache> cache_;
    QMap<int, QImage> images_;
    bool scrubbing_ = false;
    bool turning_ = false;

    QToolButton* add_;
    QToolButton* remove_;
    ElidedLabel* name_;
    QBoxLayout* sampleRow_;
    QLabel* invitation_;
    QLabel* stripHeading_;
    ViewSlots* slots_;
    ViewStrip* strip_;
    QScrollArea* stripArea_;
    CameraRing* ring_;
    QBoxLayout* choiceRow_;
    QBoxLayout* belowSlots_;
    ViewDrag* drag_;
    Thumbnails thumbnails_{cache_};
};

}  // namespace threefold::ui
