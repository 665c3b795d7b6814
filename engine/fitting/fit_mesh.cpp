#include "engine/fitting/fit_mesh.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/contradictions/outline_distances.h"
#include "engine/error.h"
#include "engine/fitting/cpu_fit_solver.h"
#include "engine/fitting/fit_schedule.h"
#include "engine/fitting/fit_start.h"
#include "engine/fitting/overlap.h"
#include "engine/fitting/vertex_terms.h"
#include "engine/fitting/views_with_outlines.h"
#include "engine/geometry/self_intersections.h"
#include "engine/geometry/vertex_normals.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using fitting::MeshLevels;

constexpr double kAgreementTolerance = 0.5;  ///< mean outline distance, pixels of the mask

/// View that was removed from the views in use.
struct RemovedView {
    std::size_t index;  ///< among the views used until then
    LeftOutView leftOut;
};

/// Fits a mesh to the usable photographs.
class MultiViewFit {
  public:
    /// `startDefects`: defects of the mesh that the fit begins with.
    MultiViewFit(const MeshLevels& levels, std::vector<fitting::ViewWithOutline> views,
                 const FitOptions& options, fitting::FitSolver& solver,
                 const MeshDefects& startDefects)
        : levels_(levels),
          options_(options),
          threads_(resolveThreadCount(options.threads)),
          solver_(solver),
          startDefects_(startDefects),
          schedule_(levels.levelCount()),
          used_(std::move(views)) {}

    /// Silhouette score of a mesh in each used view.
    std::vector<SilhouetteScore> compare(const Points& vertices) const {
        std::vector<SilhouetteScore> scores(used_.size());
        parallelFor(threads_, used_.size(), options_.cancel,
                    [&](std::size_t i, std::size_t /*thread*/) {
                        scores[i] = used_[i].outline->compare(vertices, levels_.faces());
                    });
        return scores;
    }

    /// For each view, mean distance between the outlines of mesh and photograph, in pixels of the
    /// 224×224 projection; 224 if either has no outline.
    std::vector<double> distancesOf(const std::vector<SilhouetteScore>& scores) const {
        std::vector<double> distances;
        for (std::size_t i = 0; i < scores.size(); ++i)
            distances.push_back(scores[i].outlineDistance
                                    ? scores[i].outlineDistance->mean * pixelSize(i)
                                    : static_cast<double>(kInputSide));
        return distances;
    }

    /// Fits from the coarsest level on.
    Points fit(const fitting::FitStart& start) { return fitFrom(0, start, start.anchorPositions); }

    /// Leaves out the view without which all others agree better than in `fitted`; nullopt if there
    /// is none.
    std::optional<RemovedView> leaveOutContradictingView(const fitting::FitStart& start,
                                                         const Points& fitted) {
        const auto contradicting =
            findViewContradictingFit(distancesOf(compare(fitted)), [&](std::size_t without) {
                return distancesOf(
                    compare(fitFrom(levels_.levelCount() - 1, start, fitted, without)));
            });
        if (!contradicting) return std::nullopt;
        const int view = used_[contradicting->index].view;
        const double pixelsOff = contradicting->outlineDistance / pixelSize(contradicting->index);
        used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(contradicting->index));
        return RemovedView{
            contradicting->index,
            {view, fmt::format("contradicts the others, by {:.1f} pixels in the mean: left out; "
                               "check its camera and its mask",
                               pixelsOff)}};
    }

    int view(std::size_t i) const { return used_[i].view; }
    /// Side of the mask's pixels in pixels of the 224×224 projection.
    double pixelSize(std::size_t i) const { return used_[i].outline->outline().pixelSize(); }

    /// All steps taken, in order.
    const std::vector<FitStep>& steps() const { return steps_; }

  private:
    Points fitFrom(std::size_t level, const fitting::FitStart& start, const Points& vertices,
                   std::optional<std::size_t> leftOutIndex = {}) {
        fitting::FitTerms terms;
        std::vector<fitting::PhotometricView> inputs;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (i == leftOutIndex) continue;
            terms.outlines.push_back(used_[i].outline.get());
            inputs.push_back({used_[i].outline.get(), used_[i].photograph});
        }
        fitting::CoverageTerm coverage(levels_, terms.outlines, threads_, options_.cancel);
        terms.vertexTerms.push_back(&coverage);
        std::optional<fitting::PhotometricTerm> photometric;
        if (options_.photometric) {
            photometric.emplace(levels_, inputs, threads_, options_.cancel);
            terms.vertexTerms.push_back(&*photometric);
        }
        // Tolerates only three quarters of the start's folded and intersecting faces: the term
        // searches for them every few steps only, and some of them come back between two searches.
        fitting::UntanglingTerm untangling(levels_, terms.outlines.size(),
                                           startDefects_.foldedFaceCount * 3 / 4,
                                           startDefects_.intersectingFaceCount * 3 / 4);
        terms.vertexTerms.push_back(&untangling);
        solver_.begin(levels_, start, terms, vertices);
        stepFrom(level, leftOutIndex.has_value());
        return solver_.vertices();
    }

    /// Takes the steps from the level `first` to the finest. A trial reports no progress.
    void stepFrom(std::size_t first, bool trial) {
        for (std::size_t level = first; level < levels_.levelCount(); ++level) {
            fitting::ConvergenceTest convergence;
            for (std::size_t step = 0;
                 step < schedule_.maxSteps(level) && !convergence.hasConverged(); ++step) {
                if (options_.cancel.stop_requested()) throw Cancelled();
                steps_.push_back(solver_.step(schedule_.scale(level, step)));
                convergence.add(steps_.back().meanEnergy);
                if (!trial) report(level, step + 1);
            }
        }
    }

    void report(std::size_t level, std::size_t stepsDone) {
        if (!options_.progress) return;
        // The fraction must not fall when a fit, repeated without a view, begins at the coarsest
        // level again.
        fraction_ = std::max(fraction_, schedule_.fraction(level, stepsDone));
        options_.progress(solver_.vertices(), fraction_);
    }

    const MeshLevels& levels_;
    const FitOptions& options_;
    const int threads_;
    fitting::FitSolver& solver_;
    const MeshDefects startDefects_;
    const fitting::FitSchedule schedule_;
    std::vector<fitting::ViewWithOutline> used_;
    std::vector<FitStep> steps_;
    double fraction_ = 0;  ///< last reported fraction
};

}  // namespace

MeshDefects meshDefects(const MeshLevels& levels, const Points& vertices) {
    return {fitting::meanCrease(levels, vertices), fitting::foldedFaces(levels, vertices).size(),
            intersectingFaces(vertices, levels.faces()).size()};
}

double FitResult::meanOverlapBefore() const {
    return meanOverlap(agreements, [](const FitAgreement& view) { return view.before.overlap; });
}

double FitResult::meanOverlapAfter() const {
    return meanOverlap(agreements, [](const FitAgreement& view) { return view.after.overlap; });
}

std::vector<int> FitResult::usedViews() const {
    std::vector<int> views;
    for (const FitAgreement& agreement : agreements) views.push_back(agreement.view);
    return views;
}

bool FitResult::hasLowOverlap() const {
    return !agreements.empty() && meanOverlapAfter() < kMinFitOverlap;
}

FitResult fitMesh(const Points& start, const MeshLevels& levels, const Pose& meshPose,
                  std::span<const MaskedView> views, const FitOptions& options) {
    fitting::CpuFitSolver solver(resolveThreadCount(options.threads), options.cancel);
    return fitMesh(start, levels, meshPose, views, options, solver);
}

FitResult fitMesh(const Points& start, const MeshLevels& levels, const Pose& meshPose,
                  std::span<const MaskedView> views, const FitOptions& options,
                  fitting::FitSolver& solver) {
    fitting::requireFittable(start, levels);
    const Stopwatch watch;
    FitResult result;
    result.vertices = start;
    result.defectsBefore = meshDefects(levels, start);

    fitting::ViewsWithOutlines usable = fitting::viewsWithOutlines(
        views, meshPose, resolveThreadCount(options.threads), options.cancel);
    result.leftOut = std::move(usable.leftOut);
    result.lacksMasks =
        !views.empty() && usable.used.empty() &&
        std::ranges::all_of(views, [](const MaskedView& view) { return view.problem.empty(); });
    MultiViewFit fit(levels, std::move(usable.used), options, solver, result.defectsBefore);
    std::vector<SilhouetteScore> before = fit.compare(start);
    const bool agrees = std::all_of(before.begin(), before.end(), [](const SilhouetteScore& score) {
        return score.outlineDistance && score.outlineDistance->mean <= kAgreementTolerance;
    });
    if (!agrees) {
        const fitting::FitStart fitStart =
            fitting::makeFitStart(start, levels, meanOverlap(before, &SilhouetteScore::overlap));
        result.vertices = fit.fit(fitStart);
        const std::size_t maxRemovals =
            options.leavesOutContradictingViews ? maxContradictingViews(before.size()) : 0;
        for (std::size_t remaining = maxRemovals; remaining > 0; --remaining) {
            const auto removed = fit.leaveOutContradictingView(fitStart, result.vertices);
            if (!removed) break;
            result.leftOut.push_back(removed->leftOut);
            before.erase(before.begin() + static_cast<std::ptrdiff_t>(removed->index));
            result.vertices = fit.fit(fitStart);
        }
    }

    result.steps = fit.steps();
    const std::vector<SilhouetteScore> after = fit.compare(result.vertices);
    for (std::size_t i = 0; i < after.size(); ++i)
        result.agreements.push_back({fit.view(i), before[i], after[i]});
    result.defectsAfter = meshDefects(levels, result.vertices);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
