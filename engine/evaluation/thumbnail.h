#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample_steps/fitted_reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Side of each picture of a thumbnail, in pixels.
inline constexpr int kThumbnailSide = 128;

/// Draws a mesh from the camera of its space (METHOD.md §2: the reference view's), in shaded grey
/// with two-sided lighting, on a transparent background. Omits faces that reach behind the camera,
/// or with corners that are not finite or missing. The image is square with `side` > 0 pixels.
/// Deterministic. Any thread.
Image drawMesh(const Points& vertices, const Faces& faces, int side = kThumbnailSide);

/// Draws a truth as drawMesh() does: its surface, or small squares at its points, perpendicular to
/// their normals.
Image drawTruth(const GroundTruth& truth, int side = kThumbnailSide);

/// Resizes a picture to a square of `side` > 0 pixels by averaging covered pixels. Any thread.
Image resizedToSquare(const Image& image, int side);

/// Joins square pictures of one size, at least one, from left to right.
Image sideBySide(std::span<const Image> pictures);

/// Makes a thumbnail: the first input image and, from its camera, the network's published meshes,
/// the fitted one if any, and the truth if it has points; side by side, each kThumbnailSide wide.
/// Takes a few milliseconds; needs no display. Write the result with writePng() to thumbnailFile().
/// Throws InputError without an image.
Image makeThumbnail(const NetworkInput& input, const FittedReconstruction& reconstruction,
                    const GroundTruth& truth = {});

/// Path of a sample's thumbnail: `folder`/thumbnails/NAME.png. Characters that are unsafe in a file
/// name ('/', NUL, a leading '.') become '_'.
std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name);

}  // namespace threefold
