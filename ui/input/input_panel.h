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

/// Left panel: shows the input of the next reconstruction, its sample, the slots with the chosen
/// views, and all views, and turns clicks, drags and the wheel into edits of the model.
class InputPanel : public QWidget {
    Q_OBJECT

  public:
    /// `model` must outlive the panel. `cache` (not null): for the views decoded for the tiles.
    InputPanel(InputModel& model, std::shared_ptr<ViewCache> cache, QWidget* parent = nullptr);

    InputModel& model() const { return model_; }
    /// The thumbnails decoded so far, by view.
    const QMap<int, QImage>& images() const { return images_; }

    /// Reloads the thumbnails after their files have changed; the old ones stay until then.
    void reloadImages() {
        if (model_.sample()) thumbnails_.load(model_.sample(), model_.selection().views());
    }

    const std::shared_ptr<ViewCache>& cache() const { return cache_; }

    /// While on, dragging over the strip, its arrow keys and the wheel over a slot scrub through
    /// the views.
    void setScrubbing(bool scrubbing) { scrubbing_ = scrubbing; }
    /// While on, dragging and the wheel on a slot turn and move its camera.
    void setTurning(bool turning);

    ViewSlots& viewSlots() { return *slots_; }
    ViewStrip& strip() { return *strip_; }
    CameraRing& ring() { return *ring_; }

    /// Adds a feature's button that chooses views, below the slots; takes ownership, like the two
    /// below.
    void addChoiceButton(QWidget& button);
    /// Adds a feature's button right of the sample's name.
    void addSampleButton(QWidget& button);
    /// Adds a feature's widget between slots and strip.
    void addBelowSlots(QWidget& widget);

  Q_SIGNALS:
    /// images() has changed.
    void imagesChanged();

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
