#include "ui/document/input_state.h"

#include <algorithm>
#include <memory>

namespace threefold::ui {

bool InputState::hasSameInput(const InputState& other) const {
    if (selection.views() != other.selection.views() || !sameSample(sample, other.sample))
        return false;
    return !sample || std::ranges::equal(sample->cameraRows, other.sample->cameraRows, sameCamera);
}

bool sameSample(const SampleRef& a, const SampleRef& b) {
    if (a == b) return true;
    return a && b && a->renderingFolder == b->renderingFolder && a->images == b->images &&
           (a->photos == nullptr) == (b->photos == nullptr);
}

SampleRef withCamera(const Sample& sample, int view, const CameraRow& row) {
    auto copy = std::make_shared<Sample>(sample);
    copy->cameraRows.at(static_cast<std::size_t>(view)) = row;
    return copy;
}

bool haveSameInput(const Result& a, const Result& b) {
    return InputState{a.sample, ViewSelection(a.views)}.hasSameInput(
        {b.sample, ViewSelection(b.views)});
}

SampleRef withTruthOf(const SampleRef& sample, const Sample& other) {
    if (sameTruth(*sample, other)) return sample;
    auto copy = std::make_shared<Sample>(*sample);
    copy->groundTruth = other.groundTruth;
    copy->groundTruthView = other.groundTruthView;
    copy->groundTruthSpace = other.groundTruthSpace;
    return copy;
}

bool sameTruth(const Sample& a, const Sample& b) {
    return a.groundTruth == b.groundTruth && a.groundTruthView == b.groundTruthView &&
           a.groundTruthSpace == b.groundTruthSpace;
}

bool sameCamera(const CameraRow& a, const CameraRow& b) {
    return a.azimuth == b.azimuth && a.elevation == b.elevation &&
           a.inPlaneRotation == b.inPlaneRotation && a.distance == b.distance &&
           a.fieldOfView == b.fieldOfView;
}

bool giveSameNetworkImage(const CameraRow& a, const CameraRow& b) {
    return a.inPlaneRotation == b.inPlaneRotation && a.fieldOfView == b.fieldOfView &&
           Camera::fromRow(a).zoom == Camera::fromRow(b).zoom;
}

}  // namespace threefold::ui
