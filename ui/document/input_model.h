#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <QObject>
#include <QTimer>

#include "ui/document/input_state.h"

namespace threefold::ui {

/// Model of the input of the next reconstruction, and the only place that changes it. GUI thread
/// only.
class InputModel : public QObject {
    Q_OBJECT

  public:
    explicit InputModel(QObject* parent = nullptr);

    /// Sets the sample and its views; null: no sample. Not an edit. Ends a gesture without
    /// gestureEnded(), since the edits of the gesture are replaced.
    void setInput(const SampleRef& sample, const ViewSelection& selection);
    /// Restores an earlier state for undo, like setInput(), but keeps the truth of the current
    /// sample if the sample is the same. Signals stateRestored().
    void restore(const InputState& state);

    const InputState& state() const { return state_; }
    const SampleRef& sample() const { return state_.sample; }
    const ViewSelection& selection() const { return state_.selection; }

    // Edits. Invalid arguments, which keys may cause, have no effect.
    /// Puts a view into the selected slot, then selects the next slot.
    void putIntoSelectedSlot(int view) { putInto(state_.selection.selectedSlot(), view); }
    /// Puts a view into a slot, then selects the next slot.
    void putInto(std::size_t slot, int view);
    void scrubSelectedSlot(int view);  ///< puts a view into the selected slot, which stays selected
    void stepView(std::size_t slot, int step);  ///< to the next (1) or previous (−1) free view
    void swapSlots(std::size_t from, std::size_t to);
    void select(std::size_t slot);  ///< selects a slot; not an edit
    /// Replaces the views of all slots, as one edit named `text` in the Edit menu.
    void setViews(const std::vector<int>& views, const QString& text);
    void addSlot();  ///< adds a slot with the next free view
    void removeSlot(std::size_t slot);
    void setCamera(int view, const CameraRow& row);
    void setCameras(const std::vector<CameraRow>& rows);  ///< all cameras, one row for each view
    /// Turns the camera of a slot around the object, by degrees.
    void orbitCamera(std::size_t slot, double azimuthDegrees, double elevationDegrees);
    /// Multiplies the distance of a slot's camera by a factor.
    void scaleCameraDistance(std::size_t slot, double factor);

    // Gestures. The edits of a gesture are live, and undone together.
    /// Begins a gesture of the pointer, which lasts until endGesture().
    void beginGesture();
    /// Begins or prolongs a gesture of keys or the wheel, which ends soon after its last event.
    void prolongGesture();
    void endGesture();
    /// Ends the gesture without gestureEnded(), since the run that this signal starts would replace
    /// a newer request.
    void abandonGesture();

    /// Marks the sample's cameras as guessed, until one of them is changed.
    void setCamerasGuessed(const SampleRef& sample) { guessedSample_ = sample; }
    bool camerasAreGuessed() const { return state_.sample && state_.sample == guessedSample_; }
    /// Whether the program that found the sample's cameras doubts them (PosedPhotos::warnings), and
    /// consentToCameras() was not called since they were opened.
    bool camerasNeedConsent() const;
    /// Records that the user wants to use the sample's cameras, even if they are doubtful.
    void consentToCameras();
    /// Whether the camera of a view is still the guessed one.
    bool isCameraGuessed(int view) const;

  Q_SIGNALS:
    /// The user changed the input.
    void edited(const threefold::ui::InputEdit& edit);
    /// The gesture of the last live edit is over.
    void gestureEnded();
    /// state() has changed for any reason.
    void stateChanged();
    void stateRestored();
    void sampleChanged();

  private:
    void startGesture();
    void apply(InputState after, const QString& text, const QString& note = {});
    bool canPut(std::size_t slot, int view) const;
    /// Puts a view into a slot, which becomes the selected one.
    void replaceIn(std::size_t slot, int view);
    /// Applies the state after `view` was put into a slot. `change`: what this did to the slots.
    void applyPut(InputState after, ViewSelection::Change change, int view);
    void setState(InputState state);
    void changeCamera(std::size_t slot, const std::function<void(CameraRow&)>& change);

    InputState state_;
    SampleRef guessedSample_;
    std::shared_ptr<const PosedPhotos> consentedPhotos_;
    quint64 gestureCount_ = 0;  // gestures begun so far
    bool inGesture_ = false;
    bool heldGesture_ = false;  // beginGesture() began the current gesture
    bool gestureEdited_ = false;
    QTimer gestureEnd_;  // ends gestures of keys and the wheel
};

}  // namespace threefold::ui
