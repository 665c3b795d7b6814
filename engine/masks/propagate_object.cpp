#include "engine/masks/propagate_object.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/cutout/seeded_cutout.h"
#include "engine/error.h"
#include "engine/hull/hull_projection.h"
#include "engine/masks/repair_masks.h"
#include "engine/masks/seed_colours.h"
#include "engine/mesh.h"
#include "engine/sample/sample_views.h"
#include "engine/silhouettes/silhouette_set.h"
#include "engine/views/lens.h"

namespace threefold {
namespace {

[[noreturn]] void refuseHint(const ObjectHint& hint, std::string problem, std::string remedy) {
    throw InputError({hint.photograph.string(), "", std::move(problem), std::move(remedy)});
}

std::size_t viewOfHint(const Sample& sample, const ObjectHint& hint) {
    std::error_code unreadable;
    for (std::size_t i = 0; i < sample.viewCount(); ++i)
        if (!sample.images[i].empty() &&
            std::filesystem::equivalent(sample.images[i], hint.photograph, unreadable))
            return i;
    refuseHint(hint, "is not one of the photographs whose cameras are known",
               "Find its camera first, or name another photograph.");
}

/// Placement of the hinted object, on the ray through the hint: as far away as the sample's object.
ObjectPlacement placementOfHint(const Sample& sample, std::size_t view, const ObjectHint& hint) {
    const Photo& photo = sample.photos->views[view].photo;
    const ObjectFrame& frame = sample.photos->frame;
    const std::optional<glm::dvec3> inCamera = directionThrough(photo.lens, hint.point);
    if (!inCamera)
        refuseHint(
            hint,
            "the hint is outside the range of the lens's distortion model, so that it has no ray",
            "Calibrate the camera again, or place the hint nearer to the photograph's centre.");
    const glm::dvec3 ray = glm::transpose(photo.pose.rotation) * *inCamera;
    const double distance = glm::dot(*frame.placement.centre - photo.pose.centre, ray);
    if (!(distance > 0)) return frame.placement;
    ObjectPlacement placement = frame.placement;
    placement.centre = photo.pose.centre + distance * ray;
    if (hint.extent) {
        // The box gives two of the object's three extents; the third is assumed to equal the
        // smaller of the two. A margin of a quarter keeps the object inside of the views' pictures
        // if the assumed distance is wrong.
        constexpr double kPlacementMargin = 1.25;
        const glm::dvec2 extent =
            *hint.extent / glm::dvec2(photo.lens.focalX, photo.lens.focalY) * distance;
        placement.size =
            kPlacementMargin * std::hypot(extent.x, extent.y, std::min(extent.x, extent.y));
    }
    return placement;
}

/// Radius of the object's sphere in a view's picture, pixels of 224×224.
double objectRadiusPixels(const Camera& camera) {
    return kFocalLength * camera.zoom * kObjectDiagonal / 2 / glm::length(camera.centre);
}

class MaskPropagation {
  public:
    MaskPropagation(const Sample& sample, const ObjectHint& hint, std::size_t first,
                    const std::stop_token& cancel, const WorkProgress& onProgress)
        : sample_(sample), hint_(hint), first_(first), cancel_(cancel), onProgress_(onProgress) {
        for (std::size_t i = 0; i < sample_.viewCount(); ++i) {
            MaskedView& view = views_.emplace_back();
            view.view = static_cast<int>(i);
            view.camera = Camera::fromRow(sample_.cameraRows[i]);
            if (sample_.images[i].empty())
                view.problem = "its image was not found";
            else if (sample_.photos)
                view.problem = sample_.photos->views[i].problem;
        }
        pictures_.resize(views_.size());
        sizes_.resize(views_.size());
    }

    std::vector<PropagatedMask> run() {
        cutOutFirst();
        tellProgress();
        for (std::size_t next = nextView(); next < views_.size(); next = nextView()) {
            cutOut(next);
            tellProgress();
        }
        repair();
        std::vector<PropagatedMask> result;
        result.push_back(resultOf(first_));
        for (std::size_t i = 0; i < views_.size(); ++i)
            if (i != first_) result.push_back(resultOf(i));
        return result;
    }

  private:
    void tellProgress() const {
        if (!onProgress_) return;
        const auto done = std::ranges::count_if(views_, [](const MaskedView& view) {
            return view.mask.has_value() || !view.problem.empty();
        });
        onProgress_("cutting out", static_cast<std::size_t>(done), views_.size());
    }

    /// Reads the picture of a view; sets the view's problem where it cannot be read.
    bool read(std::size_t index) {
        if (cancel_.stop_requested()) throw Cancelled();
        MaskedView& view = views_[index];
        if (!view.problem.empty()) return false;
        try {
            Image photograph = readImage(sample_.images[index]);
            sizes_[index] = {photograph.width, photograph.height};
            pictures_[index] =
                networkImage(sample_, view.view, std::move(photograph), ViewResolution::photograph);
        } catch (const Error& error) {
            view.problem = error.report().problem;
        }
        return view.problem.empty();
    }

    /// Seeds of the hinted photograph: the hint's box, or without a box concentric discs around the
    /// hint's point.
    CutoutSeeds seedsOfHint() const { return hint_.extent ? seedsInBox() : seedsAroundPoint(); }

    CutoutSeeds seedsInBox() const {
        const PhotoMapping map = mappingOf(first_);
        const glm::dvec2 size(sizes_[first_].width, sizes_[first_].height);
        return seedsBy([&](glm::dvec2 pixel) {
            const auto at = map ? map(pixel) : std::optional(pixel / double{kInputSide});
            if (!at) return SeedLabel::background;
            const glm::dvec2 off = glm::abs(*at * size - hint_.point) / *hint_.extent;
            return std::max(off.x, off.y) <= 0.5 ? SeedLabel::probableObject
                                                 : SeedLabel::background;
        });
    }

    CutoutSeeds seedsAroundPoint() const {
        constexpr double kPointRadius = 0.06;     // of the picture's side
        constexpr double kProbableRadius = 0.55;  // of the radius of the object's sphere
        const Camera& camera = views_[first_].camera;
        const double radius = kProbableRadius * objectRadiusPixels(camera);
        const glm::dvec2 centre =
            pixelOfHint(mappingOf(first_), glm::dvec2(sizes_[first_].width, sizes_[first_].height));
        return seedsBy([&](glm::dvec2 pixel) {
            const double away = glm::length(pixel - centre);
            if (away < kPointRadius * kInputSide) return SeedLabel::object;
            if (away < radius) return SeedLabel::probableObject;
            return away < 2 * radius ? SeedLabel::probableBackground : SeedLabel::background;
        });
    }

    /// Seeds with labelOf(centre of the pixel) for each pixel of the 224×224 picture.
    template <class LabelOf>
    static CutoutSeeds seedsBy(const LabelOf& labelOf) {
        CutoutSeeds seeds{kInputSide, kInputSide, {}, {}, {}};
        for (int y = 0; y < kInputSide; ++y)
            for (int x = 0; x < kInputSide; ++x)
                seeds.labels.push_back(labelOf(glm::dvec2(x + 0.5, y + 0.5)));
        return seeds;
    }

    PhotoMapping mappingOf(std::size_t index) const {
        return toPhoto(sample_, static_cast<int>(index), sizes_[index]);
    }

    /// Position of the hint in the 224×224 picture; with a mapping, the nearest centre of a pixel.
    glm::dvec2 pixelOfHint(const PhotoMapping& map, glm::dvec2 size) const {
        if (!map) return hint_.point / size * double{kInputSide};
        glm::dvec2 best(kPrincipalPoint);
        double minDistance = std::numeric_limits<double>::infinity();
        for (int y = 0; y < kInputSide; ++y)
            for (int x = 0; x < kInputSide; ++x) {
                const auto at = map(glm::dvec2(x + 0.5, y + 0.5));
                if (!at) continue;
                const double distance = glm::length(*at * size - hint_.point);
                if (distance >= minDistance) continue;
                minDistance = distance;
                best = {x + 0.5, y + 0.5};
            }
        return best;
    }

    void cutOutFirst() {
        if (!read(first_)) refuseHint(hint_, views_[first_].problem, "Name another photograph.");
        const glm::dvec2 size(sizes_[first_].width, sizes_[first_].height);
        if (!(hint_.point.x >= 0 && hint_.point.y >= 0 && hint_.point.x <= size.x &&
              hint_.point.y <= size.y))
            refuseHint(
                hint_,
                fmt::format("has {} × {} pixels, but the given point or box is outside of these",
                            sizes_[first_].width, sizes_[first_].height),
                "Give a point or a box inside of the photograph.");
        constexpr double kMinFraction = 0.1;  // area of the mask / area of the object's seeds
        const CutoutSeeds seeds = seedsOfHint();
        const auto objectSeedCount = std::ranges::count(seeds.labels, SeedLabel::probableObject) +
                                     std::ranges::count(seeds.labels, SeedLabel::object);
        Mask mask = cutOutWithSeeds(pictures_[first_], seeds, sample_.images[first_]);
        const double fraction = static_cast<double>(std::ranges::count(mask.inside, 1)) /
                                static_cast<double>(mask.inside.size()) *
                                static_cast<double>(seeds.labels.size()) /
                                static_cast<double>(std::max<std::ptrdiff_t>(objectSeedCount, 1));
        if (fraction < kMinFraction || !keep(first_, std::move(mask)))
            refuseHint(
                hint_,
                "no object that differs from the background was found at the given point or box",
                "Give a box closely around the object.");
    }

    /// Stores the mask of a view if the mask has pixels inside and outside of the object. Returns
    /// whether the mask was stored.
    bool keep(std::size_t index, Mask mask) {
        if (!hasObjectAndBackground(mask)) return false;
        views_[index].mask = std::move(mask);
        silhouettes_.add(views_[index].camera, *views_[index].mask);
        cutOutViews_.push_back(index);
        return true;
    }

    double cosineBetween(std::size_t one, std::size_t other) const {
        return glm::dot(glm::normalize(views_[one].camera.centre),
                        glm::normalize(views_[other].camera.centre));
    }

    /// The view without a mask or a problem whose camera direction is closest to that of a view
    /// with a mask; the number of views if there is none.
    std::size_t nextView() const {
        std::size_t best = views_.size();
        double maxCosine = -2;
        for (std::size_t i = 0; i < views_.size(); ++i) {
            if (views_[i].mask || !views_[i].problem.empty()) continue;
            for (const std::size_t done : cutOutViews_)
                if (cosineBetween(i, done) > maxCosine) {
                    maxCosine = cosineBetween(i, done);
                    best = i;
                }
        }
        return best;
    }

    void cutOut(std::size_t index) {
        constexpr std::size_t kViewsPerToleratedContradiction = 4, kNeighbours = 2;
        constexpr double kMargin = 0.006;      // object units
        constexpr double kSphereMargin = 1.2;  // factor of the radius of the object's sphere
        if (!read(index)) return;
        const Camera& camera = views_[index].camera;
        hull::HullField field(silhouettes_.all(),
                              cutOutViews_.size() / kViewsPerToleratedContradiction);
        const Mask hullMask =
            hull::projectHull(field, camera, kInputSide, kMargin, resolveThreadCount(0), cancel_);
        const double radius = kSphereMargin * objectRadiusPixels(camera);
        CutoutSeeds seeds = seedsBy([&](glm::dvec2 pixel) {
            const std::size_t at = static_cast<std::size_t>(pixel.y) * std::size_t{kInputSide} +
                                   static_cast<std::size_t>(pixel.x);
            return glm::length(pixel - kPrincipalPoint) < radius && hullMask.inside[at] != 0
                       ? SeedLabel::probableObject
                       : SeedLabel::background;
        });
        std::vector<std::size_t> nearest = cutOutViews_;
        std::ranges::stable_sort(nearest, std::greater{},
                                 [&](std::size_t done) { return cosineBetween(index, done); });
        nearest.resize(std::min(kNeighbours, nearest.size()));
        for (const std::size_t neighbour : nearest)
            addSeedColours(seeds, pictures_[neighbour], *views_[neighbour].mask);
        if (!keep(index, cutOutWithSeeds(pictures_[index], seeds, sample_.images[index])))
            views_[index].problem = "does not show the object's colours where the object should be";
    }

    void repair() {
        const PictureReader reader = [this](int view) {
            return pictures_[static_cast<std::size_t>(view)];
        };
        for (MaskRepair& each : repairMasks(views_, reader, resolveThreadCount(0), cancel_))
            if (each.mask) views_[static_cast<std::size_t>(each.view)].mask = std::move(each.mask);
    }

    PropagatedMask resultOf(std::size_t index) const {
        const MaskedView& view = views_[index];
        PropagatedMask result{view.view, sample_.images[index]};
        if (view.mask)
            result.mask = photoMask(sample_, view.view, sizes_[index], *view.mask);
        else
            result.problem = view.problem;
        return result;
    }

    const Sample& sample_;
    const ObjectHint& hint_;
    std::size_t first_;
    std::stop_token cancel_;
    const WorkProgress& onProgress_;
    std::vector<MaskedView> views_;
    std::vector<Image> pictures_;
    std::vector<ImageSize> sizes_;
    std::vector<std::size_t> cutOutViews_;
    SilhouetteSet silhouettes_;  ///< of `cutOutViews_`
};

}  // namespace

std::vector<PropagatedMask> propagateObject(const std::filesystem::path& location,
                                            const ObjectHint& hint, const std::stop_token& cancel,
                                            const WorkProgress& onProgress) {
    Sample sample = findSample(location);
    const std::size_t view = viewOfHint(sample, hint);
    if (sample.photos)
        sample =
            findSample({.location = location, .placement = placementOfHint(sample, view, hint)});
    return MaskPropagation(sample, hint, view, cancel, onProgress).run();
}

}  // namespace threefold
