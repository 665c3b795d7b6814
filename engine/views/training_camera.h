#pragma once

/// The camera of the pictures that the network was trained with.
namespace threefold {

/// Range of distances from camera to object in the training data. An object outside of this range
/// is shown as if from kDefaultDistance, which gives better meshes than the limit of the range that
/// is nearer to the object's distance (docs/MEASUREMENTS.md).
inline constexpr double kMinTrainedDistance = 0.6;
inline constexpr double kMaxTrainedDistance = 1.0;
inline constexpr double kDefaultDistance = 0.8;

/// Side of the network's square images, and focal length of its projection, in pixels. The
/// principal point, (kPrincipalPoint, kPrincipalPoint), is the image's centre.
inline constexpr int kInputSide = 224;
inline constexpr double kFocalLength = 248.0;
inline constexpr double kPrincipalPoint = 112.0;

}  // namespace threefold
