#include "engine/fitting/fit_mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glm/geometric.hpp>

#include "engine/compute/conjugate_gradients.h"
#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/fitting/cpu_fit_solver.h"
#include "engine/fitting/outline_terms.h"
#include "engine/fitting/overlap.h"
#include "engine/fitting/term_weights.h"
#include "engine/fitting/vertex_terms.h"
#include "engine/geometry/self_intersections.h"
#include "engine/geometry/vertex_normals.h"
#include "engine/mesh.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using fitting::MeshLevels;
using fitting::Outline;
using fitting::ViewOutline;

constexpr std::size_t kOutlinePoints = 500;

constexpr double kMaxSmoothCrease = 0.04;  ///< meanCrease() above which a mesh is smoothed first
constexpr int kMaxSmoothing = 256;

// A level ends when the energy has not fallen by a hundredth for kStepsWithoutGain steps.
constexpr std::size_t kMaxSteps = 12;  ///< of each level but the finest
constexpr std::size_t kMaxFinestSteps = 60;
constexpr std::size_t kStepsWithoutGain = 8;
constexpr double kConvergenceRatio = 0.99;

// Standard deviation of the coverage blur, in pixels of the 224×224 projection. On the finest level
// it shrinks with each step; coarser levels double it per level. A single level starts with the
// maximum.
constexpr float kMaxBlurSigma = 8;
constexpr float kFinestFirstBlurSigma = 2;
constexpr float kMinBlurSigma = 1;
constexpr float kBlurSigmaDecay = 0.9F;

constexpr double kAgreementTolerance = 0.5;  ///< mean outline distance, pixels of the mask

// A view is suspected if its outline distance exceeds both bounds: pixels of the 224×224 projection
// (half a pixel of ShapeNet's renderings), and a multiple of the median. A suspect is wrong if the
// other views agree better without it. On thirteen objects with eight views and one camera turned
// by 20°, the wrong view was found in 47 of 52 fits, and another view as well in 1; with right
// cameras none was found in 52 fits of eight and 24 views.
constexpr double kSuspectPixels = 0.5 * kImageSize / 137;
constexpr double kSuspectRatio = 1.5;
constexpr double kBetterWithout = 0.85;
constexpr double kBetterByChance = 1.5;  ///< in views: leaving out any of few improves the rest
constexpr std::size_t kMinViewsToJudge = 4;
constexpr std::size_t kMaxSuspects = 2;

/// Biharmonic smoothing (Kobbelt et al. 1998), with the least sufficient strength.
Points smoothStart(const Points& start, const MeshLevels& levels) {
    Points smooth = start;
    for (int strength = 4; strength <= kMaxSmoothing; strength *= 2) {
        if (fitting::meanCrease(levels, smooth) <= kMaxSmoothCrease) break;
        smooth = start;
        Points inner;
        const auto apply = [&](const Points& x, Points& product) {
            levels.laplacian(x, inner);
            levels.laplacianTransposed(inner, product);
            for (std::size_t v = 0; v < x.size(); ++v)
                product[v] = x[v] + static_cast<float>(strength) * product[v];
        };
        constexpr int kSteps = 60;
        conjugateGradients(apply, start, smooth, kSteps, fitting::kSolverTolerance);
    }
    return smooth;
}

/// Keeps the curvature of the start as far as it is shape: a smooth mesh that agrees with the
/// photographs has true curvature, other meshes have noise. With the bundled model's meshes,
/// keeping it is worth a point of F(τ) with 8 and 24 photographs, and an eighth of the Chamfer
/// distance.
fitting::FitStart makeStart(const Points& start, const MeshLevels& levels, double overlap) {
    constexpr double kCrumpled = 0.06;  ///< meanCrease() above which less curvature is kept
    const double smoothness = kCrumpled / std::max(fitting::meanCrease(levels, start), kCrumpled);
    const auto curvatureWeight = static_cast<float>(overlap * overlap * std::pow(smoothness, 4));
    fitting::FitStart from{smoothStart(start, levels), {}};
    const Points normals = vertexNormals(from.anchor, levels.faces());
    Points laplacian;
    levels.laplacian(from.anchor, laplacian);
    for (std::size_t v = 0; v < laplacian.size(); ++v)
        from.restLaplacian.push_back(curvatureWeight * glm::dot(normals[v], laplacian[v]));
    return from;
}

void checkStart(const Points& start, const MeshLevels& levels) {
    if (start.size() != levels.vertexCount())
        throw InputError({"mesh to fit", "",
                          fmt::format("has {} vertices, but its faces belong to a mesh of {}",
                                      start.size(), levels.vertexCount()),
                          ""});
    for (const glm::vec3& vertex : start)
        if (!isFinite(vertex))
            throw InputError({"mesh to fit", "", "a coordinate is not finite", ""});
}

/// Indices of views that may contradict all others, the worst first.
std::vector<std::size_t> suspectedViews(const std::vector<double>& distances) {
    if (distances.size() < kMinViewsToJudge) return {};
    std::vector<std::size_t> suspects(distances.size());
    std::iota(suspects.begin(), suspects.end(), std::size_t{0});
    std::stable_sort(suspects.begin(), suspects.end(),
                     [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
    const double median = distances[suspects[suspects.size() / 2]];
    const double threshold = std::max(kSuspectPixels, kSuspectRatio * median);
    suspects.resize(kMaxSuspects);
    std::erase_if(suspects, [&](std::size_t i) { return distances[i] < threshold; });
    return suspects;
}

/// Outline of each view's mask; nullopt without a mask or without a point of an outline.
std::vector<std::optional<Outline>> outlinesOf(std::span<const MaskedView> views, int threads,
                                               const std::stop_token& cancel) {
    std::vector<std::optional<Outline>> outlines(views.size());
    parallelFor(threads, views.size(), cancel, [&](std::size_t i, std::size_t /*thread*/) {
        if (!views[i].mask) return;
        outlines[i] = Outline::of(*views[i].mask, kOutlinePoints);
        if (outlines[i] && outlines[i]->points().empty()) outlines[i].reset();
    });
    return outlines;
}

/// View with an outline to fit to.
struct FittedView {
    int view;
    const Image* photograph;
    std::unique_ptr<ViewOutline> outline;
};

/// Views that a fit uses, and those that it cannot use.
struct ViewsWithOutlines {
    std::vector<FittedView> used;
    std::vector<int> leftOut;        ///< numbers of the views without an outline
    std::vector<std::string> notes;  ///< one sentence for each reason
};

/// Sentences about the views without an outline, one for each reason.
std::vector<std::string> unusableNotes(std::span<const MaskedView> views,
                                       std::span<const std::optional<Outline>> outlines) {
    std::vector<std::pair<std::string, std::vector<int>>> unusable;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (outlines[i]) continue;
        const std::string reason =
            views[i].problem.empty() ? "no outline of the object to fit to" : views[i].problem;
        auto sameReason =
            std::ranges::find(unusable, reason, &decltype(unusable)::value_type::first);
        if (sameReason == unusable.end()) sameReason = unusable.insert(sameReason, {reason, {}});
        sameReason->second.push_back(views[i].view);
    }
    std::vector<std::string> notes;
    for (const auto& [reason, numbers] : unusable)
        notes.push_back(fmt::format("view{} {}: {}: left out", numbers.size() == 1 ? "" : "s",
                                    fmt::join(numbers, ", "), reason));
    return notes;
}

ViewsWithOutlines viewsWithOutlines(std::span<const MaskedView> views, const Camera& meshCamera,
                                    int threads, const std::stop_token& cancel) {
    std::vector<std::optional<Outline>> outlines = outlinesOf(views, threads, cancel);
    ViewsWithOutlines usable{{}, {}, unusableNotes(views, outlines)};
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (outlines[i])
            usable.used.push_back({views[i].view, &views[i].photograph,
                                   std::make_unique<ViewOutline>(*std::move(outlines[i]),
                                                                 meshCamera, views[i].camera)});
        else
            usable.leftOut.push_back(views[i].view);
    }
    return usable;
}

/// View that contradicts the others.
struct WrongView {
    std::size_t index;  ///< among the used views
    int view;
    std::string note;
};

/// Fits a mesh to the usable photographs.
class PhotographFit {
  public:
    /// `startDefects`: of the mesh that the fit begins at.
    PhotographFit(const MeshLevels& levels, std::vector<FittedView> views,
                  const FitOptions& options, fitting::FitSolver& solver,
                  const MeshDefects& startDefects)
        : levels_(levels),
          options_(options),
          threads_(usableThreads(options.threads)),
          solver_(solver),
          startDefects_(startDefects),
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

    /// Mean distance between the outlines of mesh and photograph, in pixels of the 224×224
    /// projection; 224 where one has no outline.
    std::vector<double> distancesOf(const std::vector<SilhouetteScore>& scores) const {
        std::vector<double> distances;
        for (std::size_t i = 0; i < scores.size(); ++i)
            distances.push_back(scores[i].outlineDistance
                                    ? scores[i].outlineDistance->mean * pixelSize(i)
                                    : static_cast<double>(kImageSize));
        return distances;
    }

    /// Fits from the coarsest level on.
    Points fit(const fitting::FitStart& start) { return fitFrom(0, start, start.anchor); }

    /// Leaves out the view without which all others agree better than in `fitted`, and returns it;
    /// nullopt if no view is wrong.
    std::optional<WrongView> leaveOutWrong(const fitting::FitStart& start, const Points& fitted) {
        const std::vector<double> distances = distancesOf(compare(fitted));
        const std::vector<std::size_t> suspects = suspectedViews(distances);
        const auto sumOfOthers = [&](std::vector<double> values) {
            for (const std::size_t suspect : suspects) values[suspect] = 0;
            return std::accumulate(values.begin(), values.end(), 0.0);
        };
        const auto count = static_cast<double>(used_.size());
        double bestRatio = std::min(kBetterWithout, 1 - kBetterByChance / count);
        std::optional<std::size_t> wrong;
        double pixelsOff = 0;
        for (const std::size_t suspect : suspects) {
            const Points without = fitFrom(levels_.levelCount() - 1, start, fitted, suspect);
            const std::vector<double> after = distancesOf(compare(without));
            const double ratio = sumOfOthers(after) / sumOfOthers(distances);
            // A view whose own agreement improves, too, did not hold the others back.
            if (ratio < bestRatio && after[suspect] > distances[suspect]) {
                bestRatio = ratio;
                wrong = suspect;
                pixelsOff = after[suspect] / pixelSize(suspect);
            }
        }
        if (!wrong) return std::nullopt;
        const int view = used_[*wrong].view;
        used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(*wrong));
        return WrongView{*wrong, view,
                         fmt::format("view {}: contradicts the others, by {:.1f} pixels in the "
                                     "mean: left out; check its camera and its mask",
                                     view, pixelsOff)};
    }

    int view(std::size_t i) const { return used_[i].view; }
    /// Side of the mask's pixels in pixels of the 224×224 projection.
    double pixelSize(std::size_t i) const { return used_[i].outline->outline().pixelSize(); }

    /// All steps taken, in order.
    const std::vector<FitStep>& steps() const { return steps_; }

  private:
    Points fitFrom(std::size_t level, const fitting::FitStart& start, const Points& vertices,
                   std::optional<std::size_t> without = {}) {
        fitting::FitTerms terms;
        std::vector<fitting::PhotometricTerm::Input> inputs;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (i == without) continue;
            terms.views.push_back(used_[i].outline.get());
            inputs.push_back({used_[i].outline.get(), used_[i].photograph});
        }
        fitting::CoverageTerm coverage(levels_, terms.views, threads_, options_.cancel);
        terms.vertexTerms.push_back(&coverage);
        std::optional<fitting::PhotometricTerm> photometric;
        if (options_.photometric) {
            photometric.emplace(levels_, inputs, threads_, options_.cancel);
            terms.vertexTerms.push_back(&*photometric);
        }
        // The tolerated count is below the start's, as some such faces come back between two
        // searches.
        fitting::UntanglingTerm untangling(levels_, terms.views.size(),
                                           startDefects_.foldedFaces * 3 / 4,
                                           startDefects_.intersectingFaces * 3 / 4);
        terms.vertexTerms.push_back(&untangling);
        solver_.begin(levels_, start, terms, vertices);
        stepFrom(level, coverage, photometric ? &*photometric : nullptr, without.has_value());
        return solver_.vertices();
    }

    /// Takes the steps from the level `first` to the finest. `photometric` may be null. A trial
    /// reports no progress.
    void stepFrom(std::size_t first, fitting::CoverageTerm& coverage,
                  fitting::PhotometricTerm* photometric, bool trial) {
        for (std::size_t level = first; level < levels_.levelCount(); ++level) {
            const std::size_t stepLimit = maxSteps(level);
            std::size_t sinceBest = 0;
            double best = std::numeric_limits<double>::infinity();
            float sigma = firstBlurSigma(level);
            for (std::size_t step = 0; step < stepLimit && sinceBest < kStepsWithoutGain; ++step) {
                if (options_.cancel.stop_requested()) throw Cancelled();
                coverage.setScale(
                    {std::max(sigma, kMinBlurSigma), level + 1 == levels_.levelCount()});
                if (photometric)
                    photometric->setBlurSigma(std::max(firstBlurSigma(level) / 2, 1.0F));
                if (level + 1 == levels_.levelCount()) sigma *= kBlurSigmaDecay;
                steps_.push_back(solver_.step(level));
                const double energy = steps_.back().meanEnergy;
                sinceBest = energy < kConvergenceRatio * best ? 0 : sinceBest + 1;
                best = std::min(best, energy);
                if (!trial) report(level, step + 1, stepLimit);
            }
        }
    }

    std::size_t maxSteps(std::size_t level) const {
        return level + 1 == levels_.levelCount() ? kMaxFinestSteps : kMaxSteps;
    }

    float firstBlurSigma(std::size_t level) const {
        if (levels_.levelCount() == 1) return kMaxBlurSigma;
        const auto finer = static_cast<int>(levels_.levelCount() - 1 - level);
        return std::min(std::ldexp(kFinestFirstBlurSigma, finer), kMaxBlurSigma);
    }

    void report(std::size_t level, std::size_t step, std::size_t stepLimit) {
        if (!options_.progress) return;
        std::size_t before = 0;
        std::size_t total = 0;
        for (std::size_t i = 0; i < levels_.levelCount(); ++i) {
            if (i < level) before += maxSteps(i);
            total += maxSteps(i);
        }
        const auto done = static_cast<double>(before + std::min(step, stepLimit));
        // A fit that is repeated without a view begins at the coarsest level again.
        fraction_ = std::max(fraction_, done / static_cast<double>(total));
        options_.progress(solver_.vertices(), fraction_);
    }

    const MeshLevels& levels_;
    const FitOptions& options_;
    const int threads_;
    fitting::FitSolver& solver_;
    const MeshDefects startDefects_;
    std::vector<FittedView> used_;
    std::vector<FitStep> steps_;
    double fraction_ = 0;  ///< reported last
};

}  // namespace

MeshDefects meshDefects(const MeshLevels& levels, const Points& vertices) {
    return {fitting::meanCrease(levels, vertices), fitting::foldedFaces(levels, vertices).size(),
            intersectingFaces(vertices, levels.faces()).size()};
}

double FitResult::meanOverlapBefore() const {
    return meanOverlap(agreement, [](const FitAgreement& view) { return view.before.overlap; });
}

double FitResult::meanOverlapAfter() const {
    return meanOverlap(agreement, [](const FitAgreement& view) { return view.after.overlap; });
}

bool FitResult::hasLowOverlap() const {
    return !agreement.empty() && meanOverlapAfter() < kMinFitOverlap;
}

FitResult fitMesh(const Points& start, const MeshLevels& levels, const Camera& meshCamera,
                  std::span<const MaskedView> views, const FitOptions& options) {
    fitting::CpuFitSolver solver(usableThreads(options.threads), options.cancel);
    return fitMesh(start, levels, meshCamera, views, options, solver);
}

FitResult fitMesh(const Points& start, const MeshLevels& levels, const Camera& meshCamera,
                  std::span<const MaskedView> views, const FitOptions& options,
                  fitting::FitSolver& solver) {
    checkStart(start, levels);
    const Stopwatch watch;
    FitResult result;
    result.vertices = start;
    result.defectsBefore = meshDefects(levels, start);

    ViewsWithOutlines usable =
        viewsWithOutlines(views, meshCamera, usableThreads(options.threads), options.cancel);
    result.leftOut = std::move(usable.leftOut);
    result.notes = std::move(usable.notes);
    result.lacksMasks =
        !views.empty() && usable.used.empty() &&
        std::ranges::all_of(views, [](const MaskedView& view) { return view.problem.empty(); });
    PhotographFit fit(levels, std::move(usable.used), options, solver, result.defectsBefore);
    std::vector<SilhouetteScore> before = fit.compare(start);
    const bool agrees = std::all_of(before.begin(), before.end(), [](const SilhouetteScore& score) {
        return score.outlineDistance && score.outlineDistance->mean <= kAgreementTolerance;
    });
    if (!agrees) {
        const fitting::FitStart from =
            makeStart(start, levels, meanOverlap(before, &SilhouetteScore::overlap));
        result.vertices = fit.fit(from);
        const std::size_t maxWrong =
            options.rejectsOutlierViews ? before.size() / kMinViewsToJudge : 0;
        for (std::size_t remaining = maxWrong; remaining > 0; --remaining) {
            const auto wrong = fit.leaveOutWrong(from, result.vertices);
            if (!wrong) break;
            result.leftOut.push_back(wrong->view);
            result.notes.push_back(wrong->note);
            before.erase(before.begin() + static_cast<std::ptrdiff_t>(wrong->index));
            result.vertices = fit.fit(from);
        }
    }

    result.steps = fit.steps();
    const std::vector<SilhouetteScore> after = fit.compare(result.vertices);
    for (std::size_t i = 0; i < after.size(); ++i)
        result.agreement.push_back({fit.view(i), before[i], after[i]});
    result.defectsAfter = meshDefects(levels, result.vertices);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
