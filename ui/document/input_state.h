#pragma once

#include "ui/document/view_selection.h"
#include "ui/results/result.h"

namespace threefold::ui {

/// The input of the next reconstruction.
struct InputState {
    SampleRef sample;  ///< null: nothing is open
    ViewSelection selection;

    /// The same images through the same cameras; which slot is selected does not count.
    bool sameInput(const InputState& other) const;
};

/// One change of the user.
struct InputEdit {
    InputState before;
    InputState after;
    QString text;         ///< names it in the Edit menu: "choose view 6"
    QString note;         ///< for the status line; may be empty
    quint64 gesture = 0;  ///< edits of one gesture are one step; 0: a step of its own
    bool live = false;    ///< during a gesture: more edits are likely to follow at once
};

/// The camera distances that the user can set, those of photographs from afar among them;
/// ShapeNet's lie between 0.6 and 1.
inline constexpr double kNearestCamera = 0.2;
inline constexpr double kFarthestCamera = 100.0;

/// Both show the same images, perhaps through other cameras, but not rows in place of matrices with
/// lenses. Two nulls are the same.
bool sameItem(const SampleRef& a, const SampleRef& b);

/// A copy whose view `view` has another camera. Throws std::out_of_range for a missing view.
SampleRef withCamera(const Sample& sample, int view, const CameraRow& row);

/// Two results of the same images through the same cameras.
bool sameInput(const Result& a, const Result& b);

/// `sample` with the truth of `other`; `sample` itself if it has that truth already.
SampleRef withTruthOf(const SampleRef& sample, const Sample& other);
bool sameTruth(const Sample& a, const Sample& b);

bool sameCamera(const CameraRow& a, const CameraRow& b);
/// Whether their views look alike, see asNetworkSees().
bool samePicture(const CameraRow& a, const CameraRow& b);

}  // namespace threefold::ui
