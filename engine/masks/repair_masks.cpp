#include "engine/masks/repair_masks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/cutout/seeded_cutout.h"
#include "engine/hull/hull_projection.h"
#include "engine/masks/seed_colours.h"
#include "engine/silhouettes/silhouette_set.h"

namespace threefold {
namespace {

using hull::HullField;
using Silhouettes = std::vector<const SilhouetteField*>;

/// Side of the pictures in which hullExcessNear() compares hulls with masks.
constexpr int kExcessMapSide = 112;
/// Margin for inexact cameras, object units: about a pixel of the 224×224 picture.
constexpr double kCameraMargin = 0.004;

/// Indices of the trusted views, sorted by the angle between their camera direction and that of
/// `camera`, smallest first.
std::vector<std::size_t> byAngle(const Silhouettes& trusted, const Camera& camera) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < trusted.size(); ++i)
        order.emplace_back(
            -glm::dot(glm::normalize(trusted[i]->camera().centre), glm::normalize(camera.centre)),
            i);
    std::ranges::sort(order);
    std::vector<std::size_t> indices;
    for (const auto& [negativeCosine, index] : order) indices.push_back(index);
    return indices;
}

/// Estimates how far the hull of the other views may extend beyond the object, in pixels of the
/// 224×224 picture. For each of the three nearest views, measures how far the hull of all other
/// views extends beyond the view's mask; returns the maximum.
float hullExcessNear(const Silhouettes& trusted, const Camera& camera, int threads,
                     const std::stop_token& cancel) {
    constexpr std::size_t kNeighbours = 3;
    constexpr float kMinExcess = 2;               // pixels of the 224×224 picture
    constexpr double kQuantile = 0.95;            // of the depths of the excess pixels
    constexpr double kMinExcessFraction = 0.005;  // excess pixels / pixels of the mask
    float excess = kMinExcess;
    const std::vector<std::size_t> order = byAngle(trusted, camera);
    for (std::size_t i = 0; i < std::min(kNeighbours, order.size()); ++i) {
        const SilhouetteField& neighbour = *trusted[order[i]];
        Silhouettes others = trusted;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(order[i]));
        const Mask covered = hull::projectHull(HullField(std::move(others), 0), neighbour.camera(),
                                               kExcessMapSide, 0, threads, cancel);
        if (!hasObjectAndBackground(covered)) continue;
        const Mask mask = resized(neighbour.mask(), kExcessMapSide, kExcessMapSide);
        const std::vector<float> distance = signedDistances(covered);
        std::vector<float> depths;
        for (std::size_t pixel = 0; pixel < distance.size(); ++pixel)
            if (distance[pixel] < 0 && mask.inside[pixel] == 0) depths.push_back(-distance[pixel]);
        const auto inside = static_cast<double>(std::ranges::count(mask.inside, 1));
        if (static_cast<double>(depths.size()) < kMinExcessFraction * inside) continue;
        const auto rank =
            depths.begin() + static_cast<std::ptrdiff_t>(kQuantile * double(depths.size() - 1));
        std::ranges::nth_element(depths, rank);
        excess = std::max(excess, *rank * (float{kInputSide} / kExcessMapSide) + 1);
    }
    return excess;
}

/// A view whose mask is to be replaced, and the input of its new cut-out.
struct PendingRepair {
    /// A mask that contradicts the others.
    struct KnownContradiction {
        const SilhouetteField* silhouette;
        ContradictingSilhouette found;
    };

    const MaskedView* view;
    std::optional<KnownContradiction> contradiction = {};  ///< nullopt: the mask is empty
    Mask hullMask = {};  ///< projection of the hull of the trusted masks, 224×224
    CutoutSeeds seeds = {};

    bool holdsObjectOnly = false;   ///< all pixels of the mask show the object
    bool holdsWholeObject = false;  ///< the mask contains the whole object
};

/// Fraction of a mask's outline that lies along another outline, given all pixels' distances to the
/// other outline.
double alignedOutlineFraction(const Mask& mask, const std::vector<float>& distance) {
    constexpr float kMaxDistance = 4;  // pixels
    const Mask inner = eroded(mask);
    double outline = 0;
    double aligned = 0;
    for (std::size_t pixel = 0; pixel < distance.size(); ++pixel) {
        if (mask.inside[pixel] == 0 || inner.inside[pixel] != 0) continue;
        ++outline;
        if (std::abs(distance[pixel]) < kMaxDistance) ++aligned;
    }
    return outline > 0 ? aligned / outline : 0;
}

/// Sets the hull's mask, the two flags and the labels of the seeds; cutOutAgain() adds the seeds'
/// colours.
void setSeedLabels(PendingRepair& repair, const Silhouettes& trusted, int threads,
                   const std::stop_token& cancel) {
    constexpr std::size_t kMinViewsToTolerateOne = 8;
    constexpr int kMaskMargin = 2;            // pixels of the 224×224 picture
    constexpr float kMaxSignedDistance = -1;  // from the outline of hullMask, pixels
    const Camera& camera = repair.view->camera;
    repair.hullMask =
        hull::projectHull(HullField(trusted, 0), camera, kInputSide, 0, threads, cancel);
    const std::size_t tolerated = trusted.size() >= kMinViewsToTolerateOne ? 1 : 0;
    const Mask looseHullMask = hull::projectHull(HullField(trusted, tolerated), camera, kInputSide,
                                                 kCameraMargin, threads, cancel);
    repair.seeds = {kInputSide,
                    kInputSide,
                    std::vector<SeedLabel>(looseHullMask.inside.size(), SeedLabel::background),
                    {},
                    {}};
    if (!hasObjectAndBackground(repair.hullMask)) return;
    const std::vector<float> distance = signedDistances(repair.hullMask);
    const float excess = hullExcessNear(trusted, camera, threads, cancel);

    Mask inner, outer;
    if (repair.contradiction) {
        // A mask that is shifted, or of another object, may also have little `missing` or
        // `surplus`: hence the strict limits.
        constexpr double kNegligible = 0.1;  // of the limits of MaskDisagreement
        constexpr double kMinAlignedFraction = 0.7;
        const MaskDisagreement& measured = repair.contradiction->found.disagreement;
        const Mask mask = resized(repair.contradiction->silhouette->mask(), kInputSide, kInputSide);
        repair.holdsObjectOnly = measured.surplus < kNegligible * MaskDisagreement::kMaxSurplus &&
                                 alignedOutlineFraction(mask, distance) > kMinAlignedFraction;
        repair.holdsWholeObject = measured.missing < kNegligible * MaskDisagreement::kMaxMissing;
        inner = eroded(mask, kMaskMargin);
        outer = dilated(mask, kMaskMargin);
    }
    for (std::size_t pixel = 0; pixel < looseHullMask.inside.size(); ++pixel) {
        if (looseHullMask.inside[pixel] == 0 ||
            (repair.holdsWholeObject && outer.inside[pixel] == 0))
            continue;
        const bool isSure =
            distance[pixel] < -excess || (repair.holdsObjectOnly && inner.inside[pixel] != 0 &&
                                          distance[pixel] < kMaxSignedDistance);
        repair.seeds.labels[pixel] = isSure ? SeedLabel::object
                                     : repair.hullMask.inside[pixel] != 0
                                         ? SeedLabel::probableObject
                                         : SeedLabel::probableBackground;
    }
}

/// The new mask at the old mask's size, with the old mask's values where these are known to be
/// right.
Mask mergedMask(const Mask& mask, const PendingRepair& repair) {
    const Mask& old = *repair.view->mask;
    Mask result = resized(mask, old.width, old.height);
    result.known = old.known;
    for (std::size_t pixel = 0; pixel < result.inside.size(); ++pixel) {
        std::uint8_t& inside = result.inside[pixel];
        if (repair.holdsObjectOnly) inside |= old.inside[pixel];
        if (repair.holdsWholeObject) inside &= old.inside[pixel];
        if (!result.isKnown(pixel)) inside = 0;
    }
    return result;
}

/// The repair without a new mask.
MaskRepair unrepaired(const PendingRepair& pending) {
    const int view = pending.view->view;
    if (!pending.contradiction)
        return {.view = view,
                .reason = "the mask shows no object",
                .disagreementBefore = MaskDisagreement{1, 0}};
    const ContradictingSilhouette& found = pending.contradiction->found;
    return {.view = view, .reason = found.reason(), .disagreementBefore = found.disagreement};
}

class Repair {
  public:
    Repair(std::span<const MaskedView> views, const PictureReader& read, int threads,
           const std::stop_token& cancel)
        : read_(read), threads_(threads), cancel_(cancel) {
        for (const MaskedView& view : views) {
            if (!view.mask) continue;
            if (hasObjectAndBackground(*view.mask))
                views_.push_back(&view);
            else if (std::ranges::count(view.mask->inside, 1) == 0)
                pending_.push_back({.view = &view});
        }
        const auto silhouetteOf = [&](std::size_t i) {
            return SilhouetteField(views_[i]->camera, *views_[i]->mask);
        };
        silhouettes_ = SilhouetteSet(views_.size(), silhouetteOf, threads_, cancel_);
    }

    std::vector<MaskRepair> run() {
        if (views_.size() < kMinViewsToCompareMasks) return {};
        separateContradictions();
        std::vector<MaskRepair> repairs;
        for (const PendingRepair& each : pending_) repairs.push_back(unrepaired(each));
        if (pending_.empty() || !canCutOut()) return repairs;
        for (PendingRepair& each : pending_) setSeedLabels(each, trusted_, threads_, cancel_);
        cutOutAgain(repairs);
        keepBetter(repairs, false);
        if (std::ranges::all_of(repairs, [](const MaskRepair& each) { return !!each.mask; }))
            return repairs;
        for (std::size_t i = 0; i < repairs.size(); ++i) {
            if (repairs[i].mask || !hasObjectAndBackground(pending_[i].hullMask)) continue;
            repairs[i].mask = mergedMask(pending_[i].hullMask, pending_[i]);
            repairs[i].isFromHull = true;
        }
        keepBetter(repairs, true);
        return repairs;
    }

  private:
    /// Sorts the views into contradicting and trusted ones.
    void separateContradictions() {
        const Silhouettes& all = silhouettes_.all();
        std::vector<bool> isFound(all.size(), false);
        for (const ContradictingSilhouette& each :
             findContradictingSilhouettes(all, threads_, cancel_)) {
            isFound[each.viewIndex] = true;
            pending_.push_back(
                {.view = views_[each.viewIndex],
                 .contradiction = PendingRepair::KnownContradiction{all[each.viewIndex], each}});
        }
        std::ranges::sort(pending_, {}, [](const PendingRepair& each) { return each.view->view; });
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (isFound[i]) continue;
            trusted_.push_back(all[i]);
            trustedViews_.push_back(views_[i]);
        }
    }

    void cutOutAgain(std::vector<MaskRepair>& repairs) {
        constexpr std::size_t kNeighbours = 2;
        std::vector<Image> pictures;
        for (PendingRepair& each : pending_) {
            pictures.push_back(read_(each.view->view));
            const std::vector<std::size_t> order = byAngle(trusted_, each.view->camera);
            for (std::size_t i = 0; i < std::min(kNeighbours, order.size()); ++i) {
                const MaskedView& neighbour = *trustedViews_[order[i]];
                addSeedColours(each.seeds, read_(neighbour.view), *neighbour.mask);
            }
        }
        parallelFor(threads_, pending_.size(), cancel_, [&](std::size_t i, std::size_t) {
            const Mask mask = cutOutWithSeeds(pictures[i], pending_[i].seeds,
                                              fmt::format("view {}", pending_[i].view->view));
            if (hasObjectAndBackground(mask)) repairs[i].mask = mergedMask(mask, pending_[i]);
        });
    }

    /// Measures the new masks among the trusted masks. Of the new masks whose
    /// MaskRepair::isFromHull equals fromHull, drops those that still contradict the trusted masks
    /// or agree no better than the masks that they replace.
    void keepBetter(std::vector<MaskRepair>& repairs, bool fromHull) {
        SilhouetteSet newSilhouettes;
        for (std::size_t i = 0; i < repairs.size(); ++i)
            if (repairs[i].mask) newSilhouettes.add(pending_[i].view->camera, *repairs[i].mask);
        if (newSilhouettes.all().empty()) return;
        Silhouettes used = trusted_;
        used.insert(used.end(), newSilhouettes.all().begin(), newSilhouettes.all().end());
        const std::vector<MaskDisagreement> measured = maskDisagreements(used, threads_, cancel_);
        auto at = measured.begin() + static_cast<std::ptrdiff_t>(trusted_.size());
        for (MaskRepair& repair : repairs) {
            if (!repair.mask) continue;
            const MaskDisagreement& disagreement = *at++;
            if (repair.isFromHull != fromHull) continue;  // kept by the earlier call
            repair.disagreementAfter = disagreement;
            if (repair.disagreementAfter.severity() <
                std::min(1.0, repair.disagreementBefore.severity()))
                continue;
            repair.mask.reset();
            repair.isFromHull = false;
        }
    }

    const PictureReader& read_;
    int threads_;
    std::stop_token cancel_;
    std::vector<const MaskedView*> views_;
    SilhouetteSet silhouettes_;  ///< of `views_`
    Silhouettes trusted_;
    std::vector<const MaskedView*> trustedViews_;
    std::vector<PendingRepair> pending_;
};

}  // namespace

std::vector<MaskRepair> repairMasks(std::span<const MaskedView> views, const PictureReader& read,
                                    int threads, const std::stop_token& cancel) {
    return Repair(views, read, threads, cancel).run();
}

}  // namespace threefold
