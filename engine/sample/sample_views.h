#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>

#include "engine/formats/pictures/image.h"
#include "engine/sample/posed_photos/virtual_camera.h"
#include "engine/sample/sample.h"
#include "engine/views/mask.h"
#include "engine/views/network_input.h"

/// The views of a sample: their cameras, photographs and masks, and the network's input.
namespace threefold {

/// Index of a view in the sample's lists. Throws InputError: no such view.
std::size_t viewIndex(const Sample& sample, int view);
/// Throws the exceptions of viewIndex() unless the sample has all of these views.
void requireViews(const Sample& sample, std::span<const int> views);

/// Whether a view can be chosen: its image exists and, for a posed photograph, fits the lens and
/// shows the object's centre (PosedPhoto::problem is empty). `view`: index, below viewCount().
bool isUsableView(const Sample& sample, std::size_t view);

/// Virtual camera that the view's photograph, of `size`, is resampled to; nullopt if the view has a
/// camera row and its picture is not resampled (virtualCameraOfRow()). `view`: index, below
/// viewCount().
std::optional<VirtualCamera> virtualCamera(const Sample& sample, std::size_t view, ImageSize size);

/// The view's picture for the network, from the decoded `photo`: resampled to the network's camera.
/// A photograph that already has this camera (isAsTrained(), VirtualCamera::isIdentity()) is
/// returned unchanged, whatever its size. Throws the exceptions of viewIndex() and, for posed
/// photographs, of requireLensSize().
Image networkImage(const Sample& sample, int view, Image photo,
                   ViewResolution resolution = ViewResolution::network);

/// View as networkImage() makes it, but at the resolution of its photograph, with the object's
/// mask. Throws the exceptions of networkImage().
ObjectView objectView(const Sample& sample, int view, Image photo);

/// Returns the mapping from a view's 224×224 picture to its photograph, of `size`; an empty
/// function if virtualCamera() is nullopt. Throws the exceptions of viewIndex().
PhotoMapping toPhoto(const Sample& sample, int view, ImageSize size);

/// Mask of the view's whole photograph, of `size`, from the mask of objectView(): white on the
/// object. Throws the exceptions of viewIndex().
Image photoMask(const Sample& sample, int view, ImageSize size, const Mask& mask);

/// Mask file of a view's photograph, see maskFileOf(photograph); empty if there is none.
std::filesystem::path maskFileOf(const Sample& sample, int view);

/// Reads the photograph of a view with its mask, see readPhotograph().
Image readViewPhoto(const Sample& sample, int view);

/// Reader of one view: readNetworkImage(), readViewPhoto(), or a cache of either.
using ViewReader = std::function<Image(const Sample& sample, int view)>;

/// Reads the photograph of a view and resamples it as networkImage() does. Throws the exceptions of
/// networkImage() and readViewPhoto().
Image readNetworkImage(const Sample& sample, int view);

/// Reads the chosen views (kMinInputViews to kMaxInputViews, in the given order; the first is "view
/// 0" of METHOD.md §2) with `read`. Throws InputError for a missing, repeated or unusable view, a
/// missing image, two views with the same camera, and, for views with camera rows, an image whose
/// width and height differ by more than one pixel at the network's resolution; exceptions of `read`
/// propagate.
NetworkInput loadViews(const Sample& sample, std::span<const int> views,
                       const ViewReader& read = readNetworkImage);

}  // namespace threefold
