#pragma once

/// The camera of the pictures that the network was trained with.
namespace threefold {

/// Camera distances from the object that the network was trained with. Nearer and farther objects
/// are shown as if from kDefaultDistance, which is better than from the nearer limit: measured, see
/// docs/MEASUREMENTS.md.
inline constexpr double kMinTrainedDistance = 0.6;
inline constexpr double kMaxTrainedDistance = 1.0;
inline constexpr double kDefaultDistance = 0.8;

/// Side of the network's square images, and focal length of its projection, in pixels. The
/// principal point, (kPrincipalPoint, kPrincipalPoint), is the image's centre.
inline constexpr int kInputSide = 224;
inline constexpr double kFocalLength = 248.0;
inline constexpr double kPrincipalPoint = 112.0;

}  // namespace threefold
