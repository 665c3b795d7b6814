#include "engine/hull/visual_hull.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/contradictions/hull_overlaps.h"
#include "engine/contradictions/mask_disagreement.h"
#include "engine/error.h"
#include "engine/hull/base_plane.h"
#include "engine/hull/hollows.h"
#include "engine/hull/hull_field.h"
#include "engine/hull/isotropic_remeshing.h"
#include "engine/hull/marching_cubes.h"
#include "engine/hull/small_components.h"
#include "engine/measures/silhouette.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using hull::Hollows;
using hull::HullField;

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
        refuse(
            fmt::format("view {}: camera with a value that is not finite, or no zoom", view.view),
            "");
    if (!view.mask) return;
    const Mask& mask = *view.mask;
    requireValidMask(mask);
    if (mask.width < 2 || mask.height != mask.width)
        refuse(fmt::format("view {}: mask of {}×{} pixels, expected a square one", view.view,
                           mask.width, mask.height),
               "Give the mask the size of the camera's square picture.");
}

class Carver {
  public:
    Carver(const HullOptions& options, int threads) : options_(options), threads_(threads) {}

    HullResult carve(std::span<const MaskedView> views) {
        if (options_.vertexCount < kMinHullVertices)
            refuse(fmt::format("{} vertices, expected {} or more", options_.vertexCount,
                               kMinHullVertices),
                   "");
        takeViews(views);
        result_.mesh = carveAgreeing();
        return std::move(result_);
    }

  private:
    using Silhouettes = std::vector<const SilhouetteField*>;

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

    /// Silhouettes of all views in use, except the one at an index.
    Silhouettes silhouettes(std::optional<std::size_t> without = {}) const {
        Silhouettes result;
        for (std::size_t i = 0; i < views_.size(); ++i)
            if (i != without) result.push_back(views_[i].silhouette.get());
        return result;
    }

    /// A hull, and its agreement with each view in use, as fractions of pixels.
    struct CandidateHull {
        Mesh mesh;
        std::size_t toleratedCount = 0;
        std::vector<double> overlap;   // intersection over union of mask and mesh
        std::vector<double> unfilled;  // fraction of the mask that the mesh leaves uncovered
        std::optional<double> baseHeight;

        double maxUnfilled() const { return *std::max_element(unfilled.begin(), unfilled.end()); }
        double meanOverlap() const {
            return std::accumulate(overlap.begin(), overlap.end(), 0.0) / double(overlap.size());
        }
    };

    /// Carves the hull of the views that do not contradict the others.
    Mesh carveAgreeing() {
        for (;;) {
            if (views_.size() < 2)
                refuse(fmt::format("{} usable masks, expected two or more", views_.size()),
                       "Give at least two photographs with their foreground known.");
            CandidateHull strict = hullOf(silhouettes(), 0);
            if (!areMasksCompared_ && strict.maxUnfilled() > kSuspicious &&
                leaveOutContradictingSilhouettes())
                continue;
            CandidateHull carved = carveTolerant(std::move(strict));
            std::optional<std::size_t> contradicting = findViewContradictingHull(carved.overlap);
            if (!contradicting)
                contradicting = findViewContradictingHullByTrial(
                    carved.overlap,
                    [&](std::size_t without) { return hullOf(silhouettes(without), 0).overlap; });
            if (!contradicting && !carved.mesh.faces.empty()) {
                if (options_.meshWithHollows != nullptr) {
                    result_.meshWithoutHollows = carved.mesh;
                    carveHollows(carved);
                }
                result_.toleratedCount = carved.toleratedCount;
                result_.baseHeight = carved.baseHeight;
                return std::move(carved.mesh);
            }
            if (!contradicting)
                refuse("no point lies within the silhouettes",
                       "Check that masks and cameras belong together.");
            LeftOutView& leftOut = result_.leftOut.emplace_back();
            leftOut.view = views_[*contradicting].view;
            leftOut.reason = kContradictionReason;
            views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(*contradicting));
        }
    }

    /// Carves the hollows of `meshWithHollows`, unless they contradict the masks. A surface of
    /// kSurfaceThickness is kept where hollows pierce the hull without a gain of overlap.
    void carveHollows(CandidateHull& hull) {
        Hollows hollows(*options_.meshWithHollows, silhouettes(), threads_, options_.cancel);
        const double minOverlap = hull.meanOverlap() - kMaxOverlapLoss;
        CandidateHull hollow =
            hullOf(silhouettes(), hull.toleratedCount, hull.baseHeight, &hollows);
        const bool agrees = hollow.meanOverlap() >= minOverlap;
        const bool pierced = eulerCharacteristic(hollow.mesh) < eulerCharacteristic(hull.mesh);
        if (!agrees || (pierced && hollow.meanOverlap() < hull.meanOverlap() + kMinOverlapGain)) {
            hollows.setSurfaceThickness(kSurfaceThickness);
            CandidateHull thickened =
                hullOf(silhouettes(), hull.toleratedCount, hull.baseHeight, &hollows);
            if (thickened.meanOverlap() >= minOverlap) hollow = std::move(thickened);
        }
        if (hollow.meanOverlap() >= minOverlap)
            hull = std::move(hollow);
        else
            result_.notes.emplace_back(
                "the fitted mesh's hollows contradict the masks, so the hull has none");
    }

    /// Euler characteristic of a closed mesh: 2 for each piece, less 2 for each handle.
    static int eulerCharacteristic(const Mesh& mesh) {
        return static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.faces.size() / 2);
    }

    /// Leaves out the masks that lack a part of the object, and notes those that hold more than the
    /// object, which cost the hull nothing. False if there is none to leave out.
    bool leaveOutContradictingSilhouettes() {
        areMasksCompared_ = true;
        std::vector<std::size_t> incomplete;
        for (const ContradictingSilhouette& each :
             findContradictingSilhouettes(silhouettes(), threads_, options_.cancel)) {
            const int view = views_[each.view].view;
            if (each.isIncomplete()) {
                incomplete.push_back(each.view);
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

    /// Carves with increasing tolerance, from `best` on, whose points lie in all silhouettes. If
    /// the hull does not fill a mask, another mask is too small: then points may lie outside of
    /// one, two, … silhouettes, up to one in eight, as long as the masks fit better.
    CandidateHull carveTolerant(CandidateHull best) const {
        // A mesh of fewer vertices rounds off more of the shape's edges.
        const double unfilled =
            kUnfilled * std::sqrt(kDefaultHullVertices / double(options_.vertexCount));
        for (std::size_t tolerated = 1; tolerated <= views_.size() / kViewsPerToleratedView;
             ++tolerated) {
            if (best.maxUnfilled() <= unfilled) break;
            CandidateHull next = hullOf(silhouettes(), tolerated);
            if (next.meanOverlap() <= best.meanOverlap()) break;
            best = std::move(next);
        }
        return best;
    }

    /// Carves the hull of silhouettes, with a known base or with the base that it finds, and with
    /// hollows unless they are null. Points may lie outside of `tolerated` silhouettes.
    CandidateHull hullOf(Silhouettes views, std::size_t tolerated,
                         std::optional<double> baseHeight = std::nullopt,
                         const Hollows* hollows = nullptr) const {
        std::vector<Camera> cameras;
        for (const SilhouetteField* view : views) cameras.push_back(view->camera());
        HullField field(std::move(views), tolerated);
        const hull::DistanceField distance = [&](glm::dvec3 point, float maxDistance) {
            const float value = field.signedDistance(point, maxDistance);
            return hollows != nullptr && value <= maxDistance
                       ? std::max(value, hollows->depth(point))
                       : value;
        };
        Mesh mesh = fineSurface(distance);
        hull::dropSmallComponents(mesh);
        if (!baseHeight) baseHeight = hull::baseHeight(mesh, cameras, threads_, options_.cancel);
        if (baseHeight) {
            field.cutBelow(*baseHeight);
            for (glm::vec3& vertex : mesh.vertices)
                vertex.y = std::max(vertex.y, static_cast<float>(*baseHeight));
        }
        CandidateHull carved =
            compared(hull::remeshIsotropically(std::move(mesh), options_.vertexCount, distance,
                                               threads_, options_.cancel),
                     tolerated);
        carved.baseHeight = baseHeight;
        return carved;
    }

    /// Extracts a surface with several times the vertices, for remeshIsotropically() to choose
    /// from, and enough for thin parts.
    Mesh fineSurface(const hull::DistanceField& field) const {
        const double vertices =
            std::clamp(kFinePerVertex * double(options_.vertexCount), kMinFine, kMaxFine);
        return hull::marchingCubesNear(
            field, vertices,
            {kHullHalfSide, kFirstSpacing, HullField::kMaxSlope, threads_, options_.cancel});
    }

    /// The mesh with its agreement; none with the views if it has no faces.
    CandidateHull compared(Mesh mesh, std::size_t tolerated) const {
        CandidateHull carved{std::move(mesh),
                             tolerated,
                             std::vector<double>(views_.size(), 0.0),
                             std::vector<double>(views_.size(), 1.0),
                             {}};
        if (carved.mesh.faces.empty()) return carved;
        parallelFor(
            threads_, views_.size(), options_.cancel, [&](std::size_t i, std::size_t /*thread*/) {
                const SilhouetteField& view = *views_[i].silhouette;
                const Mask& mask = view.mask();
                const Mask rendered = renderMask(carved.mesh.vertices, carved.mesh.faces, Pose{},
                                                 view.camera(), mask.width, mask.height);
                carved.overlap[i] = maskOverlap(mask, rendered);
                carved.unfilled[i] = uncoveredFraction(mask, rendered);
            });
        return carved;
    }

    static constexpr std::size_t kViewsPerToleratedView = 8;
    static constexpr double kUnfilled = 0.04;    ///< fraction of a mask, with kDefaultHullVertices
    static constexpr double kSuspicious = 0.02;  ///< unfilled fraction of a mask
    /// Loss of overlap: right hollows lose 0.01 at most, and mostly gain; the hollows of a lump in
    /// place of a torus lose 0.013.
    static constexpr double kMaxOverlapLoss = 0.011;
    static constexpr double kMinOverlapGain = 0.003;    ///< smaller gains of overlap do not count
    static constexpr float kSurfaceThickness = 0.003F;  ///< object units
    static constexpr double kFirstSpacing = 0.015;
    static constexpr double kFinePerVertex = 4;
    static constexpr double kMinFine = 50'000;
    static constexpr double kMaxFine = 200'000;

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
