#pragma once

#include "ui/document/view_selection.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// The input of the next reconstruction.
struct InputState {
    SampleRef sample;  ///< null: nothing is open
    ViewSelection selection;
};

/// One undoable change of the input by the user.
struct InputEdit {
    InputState before;
    InputState after;
    QString text;         ///< name of the edit in the Edit menu: "choose view 6"
    QString note;         ///< for the status line; may be empty
    quint64 gesture = 0;  ///< edits with the same number are undone together; 0: alone
    bool live = false;    ///< during a gesture: more edits are likely to follow soon
};

/// Range of camera distances that the user can set, wide enough for photographs from afar.
/// ShapeNet's distances lie between 0.6 and 1.
inline constexpr double kMinCameraDistance = 0.2;
inline constexpr double kMaxCameraDistance = 100.0;

/// Limit of the elevation that the user can set, in degrees up or down. It is below 90, where the
/// azimuth would have no effect.
inline constexpr double kMaxCameraElevation = 89;

/// The angle in 0…360 that differs by whole turns.
double wrappedDegrees(double degrees);

/// Whether two samples have the same images. Their cameras may differ, but a sample with posed
/// photos differs from one without. Two nulls are equal.
bool isSameSample(const SampleRef& a, const SampleRef& b);

/// Copies a sample, replacing the camera of `view`. Throws std::out_of_range for a missing view.
SampleRef withCamera(const Sample& sample, int view, const CameraRow& row);

/// Whether both inputs have the same images, cameras and chosen views; the selected slot does not
/// count.
bool isSameInput(const InputState& a, const InputState& b);
/// Whether two results were made from the same images, cameras and views.
bool isSameInput(const Result& a, const Result& b);

/// `sample` with the truth of `other`; `sample` itself if it has that truth already.
SampleRef withTruthOf(const SampleRef& sample, const Sample& other);
bool isSameTruth(const Sample& a, const Sample& b);

/// Whether both cameras give the network the same image, see networkImage().
bool givesSameNetworkImage(const CameraRow& a, const CameraRow& b);

}  // namespace threefold::ui
