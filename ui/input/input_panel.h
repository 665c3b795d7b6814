#pragma once

#include <functional>
#include <vector>

#include <QImage>
#include <QMap>
#include <QTimer>
#include <QWidget>

#include "ui/document/input_state.h"
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

/// Left panel: the sample, the slots with the chosen views, and all views. Owns the input of the
/// next reconstruction and is the only place that changes it.
class InputPanel : public QWidget {
    Q_OBJECT

  public:
    explicit InputPanel(QWidget* parent = nullptr);

    /// Sets the sample and its views; null: none. Thumbnails arrive one by one. Not an edit.
    void setInput(const SampleRef& sample, const ViewSelection& selection);
    /// Restores an earlier state for undo: signals stateRestored(), not edited().
    void restore(const InputState& state);

    const InputState& state() const { return state_; }
    const SampleRef& sample() const { return state_.sample; }
    const ViewSelection& selection() const { return state_.selection; }
    /// The thumbnails decoded so far, by view.
    const QMap<int, QImage>& images() const { return images_; }

    /// Reloads the thumbnails after their files have changed; the old ones stay until then.
    void reloadImages() {
        if (state_.sample) thumbnails_.load(state_.sample, state_.selection.views());
    }

    /// Sets the cache for the views decoded for the tiles.
    void setCache(std::shared_ptr<ViewCache> cache) {
        cache_ = cache;
        thumbnails_.setCache(std::move(cache));
    }
    const std::shared_ptr<ViewCache>& cache() const { return cache_; }

    // Edits. Invalid arguments have no effect: they may come from keys.
    /// Puts a view into the selected slot, then selects the next slot.
    void choose(int view) { putInto(state_.selection.selectedSlot(), view); }
    void putInto(std::size_t slot, int view) { applyPut(slot, view, true); }
    void scrubTo(int view);  ///< puts a view into the selected slot, which stays selected
    void stepView(std::size_t slot, int step);  ///< the next (1) or previous (−1) free view
    void swapSlots(std::size_t from, std::size_t to);
    void select(std::size_t slot);  ///< no edit
    /// Replaces the views of all slots, as one edit named `text` in the Edit menu.
    void setViews(const std::vector<int>& views, const QString& text);
    void addSlot();  ///< with the next free view
    void removeSlot(std::size_t slot);
    void setCamera(int view, const CameraRow& row);
    void setCameras(const std::vector<CameraRow>& rows);  ///< one for each view

    /// Marks the sample's cameras as guessed, until one of them is changed.
    void setCamerasGuessed(const SampleRef& sample) { guessed_ = sample; }
    bool camerasAreGuessed() const { return state_.sample && state_.sample == guessed_; }

    /// While on, dragging over the strip, its arrow keys and the wheel over a slot scrub through
    /// the views.
    void setScrubbing(bool scrubbing) { scrubbing_ = scrubbing; }
    /// While on, dragging and the wheel on a slot turn and move its camera.
    void setTurning(bool turning);

    ViewSlots& viewSlots() { return *slots_; }
    ViewStrip& strip() { return *strip_; }
    CameraRing& ring() { return *ring_; }
    QBoxLayout& choiceRow() { return *choiceRow_; }    ///< buttons that choose views
    QBoxLayout& sampleRow() { return *sampleRow_; }    ///< right of the sample's name
    QBoxLayout& belowSlots() { return *belowSlots_; }  ///< between slots and strip

  Q_SIGNALS:
    /// The user changed the input.
    void edited(const threefold::ui::InputEdit& edit);
    /// The gesture of the last live edit is over.
    void gestureEnded();
    /// state() has changed for any reason.
    void stateChanged();
    void stateRestored();
    void sampleChanged();
    void imagesChanged();

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void shareHeight();
    void connectSlots();
    void connectDrags();
    void apply(InputState after, const QString& text, const QString& note = {});
    void applyPut(std::size_t slot, int view, bool moveOn);
    void setState(InputState state);
    void beginGesture();
    void touchGesture();
    void endGesture();
    void changeCamera(std::size_t slot, const std::function<void(CameraRow&)>& change);
    void turnCamera(std::size_t slot, QPoint step);
    void moveCamera(std::size_t slot, double notches);
    void markDropTarget(ViewTile* from, QPoint position);
    void drop(ViewTile* from, QPoint position);
    void refresh();

    InputState state_;
    SampleRef guessed_;
    std::shared_ptr<ViewCache> cache_;
    QMap<int, QImage> images_;
    bool scrubbing_ = false;
    bool turning_ = false;
    quint64 gestures_ = 0;  // begun so far
    bool inGesture_ = false;
    bool gestureEdited_ = false;
    QTimer gestureEnd_;  // for keys and the wheel

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
    Thumbnails thumbnails_;
};

}  // namespace threefold::ui
