#pragma once

#include <filesystem>
#include <string_view>

#include "engine/evaluation/result_files.h"
#include "engine/formats/pictures/image.h"
#include "engine/mesh.h"
#include "engine/network/reconstruction.h"
#include "engine/views/network_input.h"

namespace threefold {

/// Side of each of a thumbnail's three pictures, in pixels.
inline constexpr int kThumbnailSide = 128;

/// A mesh as the camera sees it in whose space it is (METHOD.md §2: the first view's), grey, shaded
/// by the tilt of its faces, both sides alike, on nothing (alpha 0). Left out are faces that reach
/// behind the camera, whose corners are not finite, or whose indices are not there. `side` > 0
/// pixels, square. The same mesh gives the same bytes. Any thread.
Image drawMesh(const Points& vertices, const Faces& faces, int side = kThumbnailSide);

/// Input | coarse | refined side by side, three times kThumbnailSide wide: the first image,
/// averaged down, and both meshes from its camera. A few milliseconds; needs no display. Write it
/// with writePng() to thumbnailFile(). Throws InputError where there is no image.
Image makeThumbnail(const NetworkInput& input, const Reconstruction& reconstruction);

/// Where writeReports() looks for a sample's: `folder`/thumbnails/NAME.png. What a file name cannot
/// hold or should not ('/', NUL, a '.' in front) becomes '_'.
std::filesystem::path thumbnailFile(const std::filesystem::path& folder, std::string_view name);

}  // namespace threefold
