#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include <QImage>
#include <QTimer>
#include <QWidget>

#include "ui/document/input_state.h"
#include "ui/input/thumbnails.h"
#include "ui/input/view_drag.h"

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace threefold::ui {

class ElidedLabel;
class ViewSlots;
class ViewStrip;
class ViewTile;

/// The left side: the item, the slots of the chosen views, and all of its views. It owns what the
/// next reconstruction is made of, and is the one place where that changes.
class InputPanel : public QWidget {
    Q_OBJECT

  public:
    explicit InputPanel(QWidget* parent = nullptr);

    /// Shows an item; its thumbnails arrive one by one. `sample` may be null: nothing is open. Not
    /// an edit.
    void show(const SampleRef& sample, const ViewSelection& selection);
    /// Back to an earlier state of the same item, by undo: signals restored(), not edited().
    void restore(const InputState& state);

    const InputState& state() const { return state_; }
    const SampleRef& sample() const { return state_.sample; }
    const ViewSelection& selection() const { return state_.selection; }
    /// What thumbnails there are by now, by view.
    const std::map<int, QImage>& images() const { return images_; }

    // Edits. Nothing happens where an argument makes no sense: all of them may come from keys.
    void choose(int view);                      ///< into the selected slot, then moves on
    void putInto(std::size_t slot, int view);   ///< the same for a given slot
    void runTo(int view);                       ///< into the selected slot, without moving on
    void stepView(std::size_t slot, int step);  ///< the next (1) or previous (−1) free view
    void swapSlots(std::size_t from, std::size_t to);
    void addSlot();  ///< with the next free view
    void removeSlot(std::size_t slot);
    void setCamera(int view, const CameraRow& row);
    void setCameras(const std::vector<CameraRow>& rows);  ///< one for each view

    /// While on, dragging over the strip and its arrow keys run through the views, and so does the
    /// wheel over a slot.
    void setRunning(bool running);
    /// While on, dragging and the wheel on a slot turn and move its camera.
    void setTurning(bool turning);

    ViewSlots& viewSlots() { return *slots_; }
    ViewStrip& strip() { return *strip_; }
    QHBoxLayout& itemRow() { return *itemRow_; }        ///< right of the item's name
    QVBoxLayout& belowSlots() { return *belowSlots_; }  ///< between slots and strip

    /// For who takes files from the desktop: signals imagesOffered().
    void offerImages(const std::vector<std::filesystem::path>& images);

  Q_SIGNALS:
    /// A person changed what is to be reconstructed.
    void edited(const threefold::ui::InputEdit& edit);
    /// The gesture of the last live edit is over.
    void settled();
    /// Anything of state() is another, for whatever reason.
    void stateChanged();
    void restored();
    void otherItemShown();
    void imagesChanged();
    void imagesOffered(const std::vector<std::filesystem::path>& images);

  private:
    void connectSlots();
    void connectDrags();
    void apply(InputState after, const QString& text, const QString& note = {});
    void applyPut(std::size_t slot, int view, bool moveOn);
    void takeState(InputState state);
    void beginGesture();
    void touchGesture();
    void endGesture();
    void turnCamera(std::size_t slot, QPoint step);
    void moveCamera(std::size_t slot, double notches);
    void markDropTarget(ViewTile* from, QPoint position);
    void drop(ViewTile* from, QPoint position);
    void refresh();

    InputState state_;
    std::map<int, QImage> images_;
    bool running_ = false;
    bool turning_ = false;
    quint64 gestures_ = 0;  // begun so far
    bool inGesture_ = false;
    bool gestureEdited_ = false;
    QTimer gestureEnd_;  // for keys and wheels, which do not say when they are done

    QToolButton* add_;
    QToolButton* remove_;
    QHBoxLayout* itemRow_;
    ElidedLabel* item_;
    QLabel* invitation_;
    QLabel* stripHeading_;
    ViewSlots* slots_;
    ViewStrip* strip_;
    QVBoxLayout* belowSlots_;
    ViewDrag* drag_;
    Thumbnails thumbnails_;
};

}  // namespace threefold::ui
