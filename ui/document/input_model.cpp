#include "ui/document/input_model.h"

#include <algorithm>
#include <utility>

namespace threefold::ui {
namespace {

// A gesture by keys or wheel ends this long after its last event.
constexpr int kGesturePause = 400;  // milliseconds

}  // namespace

InputModel::InputModel(QObject* parent) : QObject(parent) {
    gestureEnd_.setSingleShot(true);
    gestureEnd_.setInterval(kGesturePause);
    connect(&gestureEnd_, &QTimer::timeout, this, &InputModel::endGesture);
}

void InputModel::setInput(const SampleRef& sample, const ViewSelection& selection) {
    const bool otherSample = !isSameSample(sample, state_.sample);
    abandonGesture();
    setState({sample, selection});
    if (otherSample) Q_EMIT sampleChanged();
}

bool InputModel::camerasNeedConsent() const {
    return state_.sample && state_.sample->photos && !state_.sample->photos->warnings.empty() &&
           state_.sample->photos != consentedPhotos_;
}

void InputModel::consentToCameras() {
    consentedPhotos_ = state_.sample ? state_.sample->photos : nullptr;
}

bool InputModel::isCameraGuessed(int view) const {
    if (!guessedSample_ || !isSameSample(state_.sample, guessedSample_)) return false;
    const auto index = static_cast<std::size_t>(view);
    return state_.sample->cameraRows.at(index) == guessedSample_->cameraRows.at(index);
}

void InputModel::setState(InputState state) {
    state_ = std::move(state);
    Q_EMIT stateChanged();
}

void InputModel::restore(const InputState& state) {
    // Keeps a truth that was opened after the edit.
    const bool isSame = state.sample && isSameSample(state.sample, state_.sample);
    setInput(isSame ? withTruthOf(state.sample, *state_.sample) : state.sample, state.selection);
    Q_EMIT stateRestored();
}

void InputModel::apply(InputState after, const QString& text, const QString& note) {
    InputEdit edit{state_, after, text, note, inGesture_ ? gestureCount_ : 0, inGesture_};
    setState(std::move(after));
    if (isSameInput(edit.after, edit.before)) return;
    gestureEdited_ = gestureEdited_ || inGesture_;
    Q_EMIT edited(edit);
}

bool InputModel::canPut(std::size_t slot, int view) const {
    return state_.sample && view >= 0 &&
           static_cast<std::size_t>(view) < state_.sample->viewCount() &&
           slot < state_.selection.views().size();
}

void InputModel::applyPut(InputState after, ViewSelection::Change change, int view) {
    const bool swapped = change == ViewSelection::Change::swapped;
    apply(std::move(after), tr("choose view %1").arg(view),
          swapped ? tr("That view was in another slot: the two slots are swapped.") : QString());
}

void InputModel::putInto(std::size_t slot, int view) {
    if (!canPut(slot, view)) return;
    InputState after = state_;
    const ViewSelection::Change change = after.selection.put(slot, view);
    applyPut(std::move(after), change, view);
}

void InputModel::replaceIn(std::size_t slot, int view) {
    if (!canPut(slot, view)) return;
    InputState after = state_;
    const ViewSelection::Change change = after.selection.replace(slot, view);
    applyPut(std::move(after), change, view);
}

void InputModel::scrubSelectedSlot(int view) {
    // A view in another slot would swap the two slots.
    if (!state_.selection.slotOf(view)) replaceIn(state_.selection.selectedSlot(), view);
}

void InputModel::stepView(std::size_t slot, int step) {
    if (!state_.sample || slot >= state_.selection.views().size()) return;
    const auto view = nextFreeView(state_.selection, state_.selection.views()[slot], step,
                                   state_.sample->viewCount());
    if (view) replaceIn(slot, *view);
}

void InputModel::select(std::size_t slot) {
    InputState state = state_;
    state.selection.select(slot);
    setState(std::move(state));
}

void InputModel::setViews(const std::vector<int>& views, const QString& text) {
    if (!state_.sample || views.size() < kMinInputViews) return;
    endGesture();
    InputState after = state_;
    after.selection = ViewSelection(views);
    apply(std::move(after), text);
}

void InputModel::swapSlots(std::size_t from, std::size_t to) {
    InputState after = state_;
    if (after.selection.swapSlots(from, to)) apply(std::move(after), tr("swap slots"));
}

void InputModel::addSlot() {
    if (!state_.sample) return;
    InputState after = state_;
    const auto view = nextFreeView(after.selection, 0, 1, after.sample->viewCount());
    if (view && after.selection.add(*view)) apply(std::move(after), tr("add a slot"));
}

void InputModel::removeSlot(std::size_t slot) {
    InputState after = state_;
    if (after.selection.remove(slot)) apply(std::move(after), tr("remove a slot"));
}

void InputModel::setCamera(int view, const CameraRow& row) {
    if (!state_.sample || view < 0 || static_cast<std::size_t>(view) >= state_.sample->viewCount())
        return;
    if (state_.sample->cameraRows[static_cast<std::size_t>(view)] == row) return;
    if (!heldGesture_) prolongGesture();
    InputState after = state_;
    after.sample = withCamera(*state_.sample, view, row);
    apply(std::move(after), tr("camera of view %1").arg(view));
}

void InputModel::setCameras(const std::vector<CameraRow>& rows) {
    if (!state_.sample || rows.size() != state_.sample->viewCount()) return;
    endGesture();
    InputState after = state_;
    auto sample = std::make_shared<Sample>(*state_.sample);
    sample->cameraRows = rows;
    after.sample = std::move(sample);
    apply(std::move(after), tr("all cameras"));
}

void InputModel::changeCamera(std::size_t slot, const std::function<void(CameraRow&)>& change) {
    if (!state_.sample || slot >= state_.selection.views().size()) return;
    const int view = state_.selection.views()[slot];
    CameraRow row = state_.sample->cameraRows[static_cast<std::size_t>(view)];
    change(row);
    setCamera(view, row);
}

void InputModel::orbitCamera(std::size_t slot, double azimuthDegrees, double elevationDegrees) {
    changeCamera(slot, [azimuthDegrees, elevationDegrees](CameraRow& row) {
        row.azimuth = wrappedDegrees(row.azimuth + azimuthDegrees);
        row.elevation =
            std::clamp(row.elevation + elevationDegrees, -kMaxCameraElevation, kMaxCameraElevation);
    });
}

void InputModel::scaleCameraDistance(std::size_t slot, double factor) {
    changeCamera(slot, [factor](CameraRow& row) {
        row.distance = std::clamp(row.distance * factor, kMinCameraDistance, kMaxCameraDistance);
    });
}

void InputModel::beginGesture() {
    startGesture();
    heldGesture_ = true;
}

void InputModel::startGesture() {
    endGesture();
    inGesture_ = true;
    ++gestureCount_;
}

void InputModel::prolongGesture() {
    if (!inGesture_) startGesture();
    gestureEnd_.start();
}

void InputModel::endGesture() {
    const bool edited = gestureEdited_;
    abandonGesture();
    if (edited) Q_EMIT gestureEnded();
}

void InputModel::abandonGesture() {
    gestureEnd_.stop();
    inGesture_ = false;
    heldGesture_ = false;
    gestureEdited_ = false;
}

}  // namespace threefold::ui
