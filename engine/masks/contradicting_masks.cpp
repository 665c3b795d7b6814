#include "engine/masks/contradicting_masks.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/contradictions/mask_disagreement.h"
#include "engine/masks/masked_views.h"
#include "engine/masks/repair_masks.h"
#include "engine/sample/posed_photos/posed_photos.h"
#include "engine/sample/view_candidates.h"
#include "engine/silhouettes/object_box.h"
#include "engine/silhouettes/silhouette_set.h"
#include "engine/turntable/turntable.h"

namespace threefold {

namespace {

Image photographOf(const Sample& sample, int view) {
    return readImage(sample.images[static_cast<std::size_t>(view)]);
}

/// Reader of the pictures that repairMasks() needs.
PictureReader pictureReader(const Sample& sample) {
    return [&sample](int view) {
        return networkImage(sample, view, photographOf(sample, view), ViewResolution::photograph);
    };
}

bool isOpaque(const Image& image) {
    for (std::size_t i = 3; i < image.rgba.size(); i += 4)
        if (image.rgba[i] != 255) return false;
    return true;
}

/// Whether all masks come from files, so that the photographs still show the background.
bool hasMaskFiles(const Sample& sample, std::span<const MaskedView> views) {
    return std::ranges::all_of(views, [&](const MaskedView& view) {
        return !view.mask || !maskFileOf(sample, view.view).empty();
    });
}

/// The picture with the mask as its opacity; transparent pixels are white. Unchanged if the mask
/// has another size.
Image maskedPicture(Image picture, const Mask& mask) {
    if (picture.width != mask.width || picture.height != mask.height) return picture;
    for (std::size_t i = 0; i < mask.inside.size(); ++i)
        if (mask.inside[i] == 0) {
            std::fill_n(picture.rgba.begin() + static_cast<std::ptrdiff_t>(4 * i), 3, 255);
            picture.rgba[4 * i + 3] = 0;
        }
    return picture;
}

/// The views of the sample whose masks show an object and background.
std::vector<MaskedView> masksWithObject(const Sample& sample, const std::stop_token& cancel) {
    std::vector<MaskedView> masked =
        loadMaskedViews(sample, usableViews(sample), readViewPhoto, cancel);
    std::erase_if(masked, [](const MaskedView& view) {
        return !view.mask || !hasObjectAndBackground(*view.mask);
    });
    return masked;
}

std::vector<ContradictingMask> contradictingAmong(std::span<const MaskedView> masked,
                                                  const Sample& sample,
                                                  const std::stop_token& cancel) {
    const auto distanceOf = [&](std::size_t i) {
        return SilhouetteField(masked[i].camera, *masked[i].mask);
    };
    const SilhouetteSet silhouettes(masked.size(), distanceOf, resolveThreadCount(0), cancel);
    std::vector<ContradictingMask> contradicting;
    for (const ContradictingSilhouette& each :
         findContradictingSilhouettes(silhouettes.all(), resolveThreadCount(0), cancel)) {
        const int view = masked[each.viewIndex].view;
        contradicting.push_back(
            {view, sample.images[static_cast<std::size_t>(view)], each.reason()});
    }
    std::ranges::sort(contradicting, {}, &ContradictingMask::view);
    return contradicting;
}

/// The view's mask as the mask of a whole picture, with a lens without distortion.
PosedMask posedMaskOf(const MaskedView& view) {
    Lens lens;
    lens.width = view.mask->width;
    lens.height = view.mask->height;
    lens.focalX = lens.focalY = view.camera.focalLength() * lens.width / kInputSide;
    lens.principalX = lens.width / 2.0;
    lens.principalY = lens.height / 2.0;
    return {static_cast<const Pose&>(view.camera), lens, *view.mask};
}

/// MaskComparison::overlap of these views.
std::optional<double> overlapWithHull(std::span<const MaskedView> masked,
                                      const std::stop_token& cancel) {
    constexpr std::size_t kMinMasks = 3;
    if (masked.size() < kMinMasks) return std::nullopt;
    std::vector<PosedMask> views;
    for (const MaskedView& view : masked) views.push_back(posedMaskOf(view));
    const std::optional<Box3d> object = objectBox(views, false, cancel);
    if (!object) return 0;
    const std::vector<double> uncovered = turntable::uncoveredAtReducedSize(views, *object, cancel);
    return 1 - std::accumulate(uncovered.begin(), uncovered.end(), 0.0) /
                   static_cast<double>(uncovered.size());
}

}  // namespace

std::vector<ContradictingMask> findContradictingMasks(const Sample& sample,
                                                      const std::stop_token& cancel) {
    if (usableViews(sample).size() < kMinViewsToCompareMasks) return {};
    return contradictingAmong(masksWithObject(sample, cancel), sample, cancel);
}

MaskComparison compareMasks(const Sample& sample, const std::stop_token& cancel) {
    std::vector<MaskedView> masked = masksWithObject(sample, cancel);
    MaskComparison comparison{contradictingAmong(masked, sample, cancel)};
    std::erase_if(masked, [&](const MaskedView& view) {
        return std::ranges::count(comparison.contradicting, view.view, &ContradictingMask::view) >
               0;
    });
    comparison.overlap = overlapWithHull(masked, cancel);
    return comparison;
}

std::vector<ContradictingMask> repairContradictingMasks(const Sample& sample,
                                                        const std::stop_token& cancel) {
    const std::vector<int> views = usableViews(sample);
    if (views.size() < kMinViewsToCompareMasks) return {};
    std::vector<MaskedView> masked = loadMaskedViews(sample, views, readViewPhoto, cancel);
    constexpr auto kPixels = static_cast<std::size_t>(kMaxViewSide) * kMaxViewSide;
    for (MaskedView& view : masked)
        if (!view.mask && view.problem.empty())
            view.mask = {kMaxViewSide, kMaxViewSide, std::vector<std::uint8_t>(kPixels)};
    std::vector<ContradictingMask> contradicting;
    for (const MaskRepair& repair :
         repairMasks(masked, pictureReader(sample), resolveThreadCount(0), cancel)) {
        const auto index = static_cast<std::size_t>(repair.view);
        ContradictingMask& mask = contradicting.emplace_back(
            ContradictingMask{repair.view, sample.images[index], repair.reason});
        if (!repair.mask) continue;
        const Image photograph = photographOf(sample, repair.view);
        if (!isOpaque(photograph)) continue;
        mask.repairedMask =
            photoMask(sample, repair.view, {photograph.width, photograph.height}, *repair.mask);
        mask.isFromHull = repair.isFromHull;
    }
    return contradicting;
}

RepairedViews withRepairedMasks(const Sample& sample,
                                std::shared_ptr<const std::vector<MaskedView>> views, int threads,
                                const std::stop_token& cancel) {
    RepairedViews result{std::move(views), {}};
    if (result.views->size() < kMinViewsToCompareMasks || !hasMaskFiles(sample, *result.views))
        return result;
    const PictureReader read = pictureReader(sample);
    std::shared_ptr<std::vector<MaskedView>> changed;
    for (MaskRepair& repair :
         repairMasks(*result.views, read, threads > 0 ? threads : resolveThreadCount(0), cancel)) {
        if (!repair.mask || !isOpaque(photographOf(sample, repair.view))) continue;
        if (!changed) changed = std::make_shared<std::vector<MaskedView>>(*result.views);
        const auto view = std::ranges::find(*changed, repair.view, &MaskedView::view);
        if (!view->photograph.rgba.empty())
            view->photograph = maskedPicture(read(repair.view), *repair.mask);
        view->mask = std::move(repair.mask);
        result.notes.push_back(fmt::format(
            "view {}: {}; {}", repair.view, repair.reason,
            repair.isFromHull ? "the projection of the other masks' visual hull is used instead"
                              : "it was cut out again, guided by the other masks"));
    }
    if (changed) result.views = std::move(changed);
    return result;
}

}  // namespace threefold
