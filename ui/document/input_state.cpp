#include "ui/document/input_state.h"

#include <cmath>
#include <memory>

namespace threefold::ui {

double wrappedDegrees(double degrees) {
    return degrees - 360 * std::floor(degrees / 360);
}

bool isSameSample(const SampleRef& a, const SampleRef& b) {
    if (a == b) return true;
    return a && b && a->folder == b->folder && a->images == b->images &&
           (a->photos == nullptr) == (b->photos == nullptr);
}

SampleRef withCamera(const Sample& sample, int view, const CameraRow& row) {
    auto copy = std::make_shared<Sample>(sample);
    copy->cameraRows.at(static_cast<std::size_t>(view)) = row;
    return copy;
}

bool isSameInput(const InputState& a, const InputState& b) {
    if (a.selection.views() != b.selection.views() || !isSameSample(a.sample, b.sample))
        return false;
    return !a.sample || a.sample->cameraRows == b.sample->cameraRows;
}

bool isSameInput(const Result& a, const Result& b) {
    return isSameInput(InputState{a.sample, ViewSelection(a.views)},
                       {b.sample, ViewSelection(b.views)});
}

SampleRef withTruthOf(const SampleRef& sample, const Sample& other) {
    if (isSameTruth(*sample, other)) return sample;
    auto copy = std::make_shared<Sample>(*sample);
    copy->truth = other.truth;
    copy->truthView = other.truthView;
    return copy;
}

bool isSameTruth(const Sample& a, const Sample& b) {
    return a.truth == b.truth && a.truthView == b.truthView;
}

bool givesSameNetworkImage(const CameraRow& a, const CameraRow& b) {
    return a.inPlaneRotation == b.inPlaneRotation && a.fieldOfView == b.fieldOfView &&
           Camera::fromRow(a).zoom == Camera::fromRow(b).zoom;
}

}  // namespace threefold::ui
