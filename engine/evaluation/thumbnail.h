#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/network/reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Side of each picture of a thumbnail, in pixels.
inline constexpr int kThumbnailSide = 128;

/// Draws a mesh from the camera of its space (METHOD.md §2: the reference view's), in shaded grey
/// with two-sided lighting, on a transparent background. Omits faces that reach behind the camera,
/// or with corners that are not finite or missing. The image is square with `side` > 0 pixels.
/// Deterministic. Any thread.
Image drawMesh(const Points& vertices, const Faces& faces, int side = kThumbnailSide);

/// Resizes a picture to a square of `side` > 0 pixels by averaging covered pixels. Any thread.
Image shrunk(const Image& image, int side);

/// Joins square pictures of one size, at least one, from left to right.
Image sideBySide(std::span<const Image> pictures);

/// Makes a thumbnail: the first input image and the network's published meshes from its camera,
/// side by side, each kThumbnailSide wide. Takes a few milliseconds; needs no display. Write the
/// result with writePng() to thumbnailFile(). Throws InputError without an image.
Image makeThumbnail(const NetworkInput& input, const Reconstruction& reconstruction);

/// Path of a sample's thumbnail: `folder`/thumbnails/NAME.png. Characters that are unsafe in a file
/// name ('/', NUL, a leading '.') become '_'.
std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name);

}  // namespace threefold
