#include "engine/hull/visual_hull.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/contradictions/hull_overlaps.h"
#include "engine/contradictions/mask_disagreement.h"
#include "engine/error.h"
#include "engine/hull/candidate_hull.h"
#include "engine/hull/hollows.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using hull::CandidateHull;
using hull::CarvingOptions;
using hull::Hollows;
using hull::Silhouettes;

/// View whose silhouette the hull is carved with.
struct CarvedView {
    int view;
    std::unique_ptr<SilhouetteField> silhouette;
};

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"visual hull", "", std::move(problem), std::move(remedy)});
}

/// Reason why a mask is unusable; empty for a usable mask.
std::string problemOf(const std::optional<Mask>& mask) {
    if (!mask) return "no mask";
    if (hasObjectAndBackground(*mask)) return "";
    const bool isEmpty = std::ranges::find(mask->inside, 1) == mask->inside.end();
    return isEmpty ? "empty mask" : "mask without background";
}

void check(const MaskedView& view) {
    if (!view.camera.isValid())
        refuse(fmt::format(
                   "view {}: the camera has a value that is not finite, or its zoom is not above 0",
                   view.view),
               "");
    if (!view.mask) return;
    const Mask& mask = *view.mask;
    requireValidMask(mask);
    if (mask.width < 2 || mask.height != mask.width)
        refuse(fmt::format("view {}: mask of {}×{} pixels, expected a square one", view.view,
                           mask.width, mask.height),
               "Give the mask the size of the camera's square picture.");
}

/// Euler characteristic of a closed mesh: 2 for each piece, less 2 for each handle.
int eulerCharacteristic(const Mesh& mesh) {
    return static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.faces.size() / 2);
}

/// The hull with the hollows of `meshWithHollows`; nullopt if the hollows contradict the masks. If
/// carving them lowers the overlap too much, or pierces the hull without a gain of overlap, carves
/// again and keeps a layer of kSurfaceThickness in front of the mesh. `options`: as for `hull`,
/// whose tolerance and base height are used.
std::optional<CandidateHull> hullWithHollows(const CandidateHull& hull, const Mesh& meshWithHollows,
                                             const Silhouettes& silhouettes,
                                             CarvingOptions options) {
    // Measured: correct hollows lower the overlap by 0.01 at most, and mostly raise it; the hollows
    // of a fitted mesh that is a lump in place of a torus lower the overlap by 0.013.
    constexpr double kMaxOverlapLoss = 0.011;
    constexpr double kMinOverlapGain = 0.003;    // smaller gains of overlap do not count
    constexpr float kSurfaceThickness = 0.003F;  // object units
    const Hollows hollows(meshWithHollows, silhouettes, options.threads, options.cancel);
    options.toleratedCount = hull.toleratedCount;
    options.baseHeight = hull.baseHeight;
    options.hollows = &hollows;
    const double minOverlap = hull.meanOverlap() - kMaxOverlapLoss;
    CandidateHull hollow = carveHull(silhouettes, silhouettes, options);
    const bool agrees = hollow.meanOverlap() >= minOverlap;
    const bool pierced = eulerCharacteristic(hollow.mesh) < eulerCharacteristic(hull.mesh);
    if (!agrees || (pierced && hollow.meanOverlap() < hull.meanOverlap() + kMinOverlapGain)) {
        options.surfaceThickness = kSurfaceThickness;
        CandidateHull thickened = carveHull(silhouettes, silhouettes, options);
        if (thickened.meanOverlap() >= minOverlap) hollow = std::move(thickened);
    }
    if (hollow.meanOverlap() < minOverlap) return std::nullopt;
    return hollow;
}

/// Carves with increasing tolerance. The points of the first hull, `best`, lie in all silhouettes.
/// If the hull does not cover a mask, another mask is too small: then points may lie outside of
/// one, two, … silhouettes, up to one in eight, as long as the masks fit better.
CandidateHull tolerantHull(CandidateHull best, const Silhouettes& silhouettes,
                           CarvingOptions options) {
    constexpr std::size_t kViewsPerToleratedView = 8;
    constexpr double kMaxUncovered = 0.04;  // fraction of a mask, with kDefaultHullVertices
    // A mesh of fewer vertices rounds off more of the shape's edges.
    const double maxUncovered =
        kMaxUncovered * std::sqrt(kDefaultHullVertices / double(options.vertexCount));
    for (std::size_t tolerated = 1; tolerated <= silhouettes.size() / kViewsPerToleratedView;
         ++tolerated) {
        if (best.maxUncovered() <= maxUncovered) break;
        options.toleratedCount = tolerated;
        CandidateHull next = carveHull(silhouettes, silhouettes, options);
        if (next.meanOverlap() <= best.meanOverlap()) break;
        best = std::move(next);
    }
    return best;
}

/// Carves the hull, and leaves out the views that contradict the others.
class Carver {
  public:
    Carver(const HullOptions& options, int threads) : options_(options), threads_(threads) {}

    HullResult carve(std::span<const MaskedView> views) {
        if (options_.vertexCount < kMinHullVertices)
            refuse(fmt::format("{} vertices, expected {} or more", options_.vertexCount,
                               kMinHullVertices),
                   "");
        takeViews(views);
        CandidateHull carved = carveAgreeing();
        if (carved.mesh.faces.empty())
            refuse("no point lies within the silhouettes",
                   "Check that masks and cameras belong together.");
        if (options_.meshWithHollows != nullptr) {
            result_.meshWithoutHollows = carved.mesh;
            auto hollow =
                hullWithHollows(carved, *options_.meshWithHollows, silhouettes(), carvingOptions());
            if (hollow)
                carved = std::move(*hollow);
            else
                result_.notes.emplace_back(
                    "the fitted mesh's hollows contradict the masks, so the hull has none");
        }
        result_.toleratedCount = carved.toleratedCount;
        result_.baseHeight = carved.baseHeight;
        result_.mesh = std::move(carved.mesh);
        return std::move(result_);
    }

  private:
    void takeViews(std::span<const MaskedView> views) {
        std::vector<const MaskedView*> usable;
        for (const MaskedView& view : views) {
            check(view);
            std::string problem = problemOf(view.mask);
            if (problem.empty())
                usable.push_back(&view);
            else
                result_.leftOut.push_back({view.view, std::move(problem)});
        }
        views_.resize(usable.size());
        parallelFor(
            threads_, usable.size(), options_.cancel, [&](std::size_t i, std::size_t /*thread*/) {
                const MaskedView& view = *usable[i];
                views_[i] = {view.view, std::make_unique<SilhouetteField>(view.camera, *view.mask)};
            });
    }

    /// Silhouettes of all views in use, except the view at a given index, if any.
    Silhouettes silhouettes(std::optional<std::size_t> without = {}) const {
        Silhouettes result;
        for (std::size_t i = 0; i < views_.size(); ++i)
            if (i != without) result.push_back(views_[i].silhouette.get());
        return result;
    }

    /// Options without tolerance, base height and hollows.
    CarvingOptions carvingOptions() const {
        return {
            .vertexCount = options_.vertexCount, .threads = threads_, .cancel = options_.cancel};
    }

    /// Leaves out views until no view contradicts the hull of the others; returns the hull of the
    /// remaining views.
    CandidateHull carveAgreeing() {
        for (;;) {
            CandidateHull carved = tolerantHull(strictHull(), silhouettes(), carvingOptions());
            const std::optional<std::size_t> contradicting = contradictingViewOf(carved);
            if (!contradicting) return carved;
            LeftOutView& leftOut = result_.leftOut.emplace_back();
            leftOut.view = views_[*contradicting].view;
            leftOut.reason = kContradictionReason;
            views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(*contradicting));
        }
    }

    /// Carves a hull whose points lie in all silhouettes. If the hull leaves much of a mask
    /// uncovered, compares the masks, once, leaves out incomplete ones, and carves again.
    CandidateHull strictHull() {
        CandidateHull strict = hullOfAllViews();
        if (areMasksCompared_ || strict.maxUncovered() <= kMinUncoveredToCompareMasks ||
            !leaveOutContradictingSilhouettes())
            return strict;
        return hullOfAllViews();
    }

    CandidateHull hullOfAllViews() const {
        if (views_.size() < 2)
            refuse(fmt::format("{} usable masks, expected two or more", views_.size()),
                   "Give at least two photographs with their foreground known.");
        return carveHull(silhouettes(), silhouettes(), carvingOptions());
    }

    std::optional<std::size_t> contradictingViewOf(const CandidateHull& carved) const {
        if (const auto contradicting = findViewContradictingHull(carved.overlap))
            return contradicting;
        return findViewContradictingHullByTrial(carved.overlap, [&](std::size_t without) {
            return carveHull(silhouettes(without), silhouettes(), carvingOptions()).overlap;
        });
    }

    /// Leaves out the masks that lack a part of the object, and notes those that hold more than the
    /// object, which do not change the hull. False if there is none to leave out.
    bool leaveOutContradictingSilhouettes() {
        areMasksCompared_ = true;
        std::vector<std::size_t> incomplete;
        for (const ContradictingSilhouette& each :
             findContradictingSilhouettes(silhouettes(), threads_, options_.cancel)) {
            const int view = views_[each.viewIndex].view;
            if (each.isIncomplete()) {
                incomplete.push_back(each.viewIndex);
                result_.leftOut.push_back({view, each.reason()});
            } else {
                result_.notes.push_back(fmt::format("view {}: {}", view, each.reason()));
            }
        }
        std::ranges::sort(incomplete, std::greater{});
        for (const std::size_t index : incomplete)
            views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(index));
        return !incomplete.empty();
    }

    /// Uncovered fraction of a mask above which masks are compared with each other.
    static constexpr double kMinUncoveredToCompareMasks = 0.02;

    const HullOptions& options_;
    int threads_;
    std::vector<CarvedView> views_;
    bool areMasksCompared_ = false;
    HullResult result_;
};

}  // namespace

HullResult visualHull(std::span<const MaskedView> views, const HullOptions& options) {
    const Stopwatch watch;
    const int threads = resolveThreadCount(options.threads);
    HullResult result = Carver(options, threads).carve(views);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
