#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/network/reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Side of each of a thumbnail's three pictures, in pixels.
inline constexpr int kThumbnailSide = 128;

/// Draws a mesh as seen by the camera of its space (METHOD.md §2: the first view's): grey, shaded
/// by the tilt of its faces, both sides alike, on a transparent background. Omits faces that reach
/// behind the camera, or whose corners are not finite or missing. `side` > 0
/// pixels, square. The same mesh gives the same bytes. Any thread.
Image drawMesh(const Points& vertices, const Faces& faces, int side = kThumbnailSide);

/// The picture as a square of `side` > 0 pixels, each the mean of what it covers. Any thread.
Image shrunk(const Image& image, int side);

/// Squares of one size, at least one, from left to right.
Image sideBySide(std::span<const Image> pictures);

/// Input | coarse | refined side by side, three times kThumbnailSide wide: the first image,
/// averaged down, and the network's published meshes from its camera. A few milliseconds; needs no
/// display. Write it with writePng() to thumbnailFile(). Throws InputError where there is no image.
Image makeThumbnail(const NetworkInput& input, const Reconstruction& reconstruction);

/// A sample's thumbnail: `folder`/thumbnails/NAME.png. Characters that are unsafe in a file name
/// ('/', NUL, a leading '.') become '_'.
std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name);

}  // namespace threefold
