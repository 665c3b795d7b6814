#include "engine/fitting/fit_mesh.h"

#include <omp.h>

#include <algorithm>
#include <array>
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
#include "engine/fitting/outline_terms.h"
#include "engine/fitting/term_weights.h"
#include "engine/fitting/vertex_terms.h"
#include "engine/metrics/self_intersections.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/surface_samples.h"

namespace threefold {
namespace {

using fitting::MeshLevels;
using fitting::Outline;
using fitting::OutlineTerms;

constexpr std::size_t kOutlinePoints = 500;

constexpr double kSmoothEnough = 0.04;  ///< meanCrease() above which a mesh is smoothed first
constexpr int kMostSmoothing = 256;

// A level ends when the energy has not fallen by a hundredth for kPatience steps.
constexpr std::array<std::size_t, 3> kMostSteps = {12, 12, 60};  ///< coarsest, others, finest
constexpr std::size_t kPatience = 8;
constexpr double kProgress = 0.99;

// The blur of the coverage, in pixels of the 224×224 projection: on the finest level less with each
// step, on those before twice as wide as on the next. A single level begins with the widest.
constexpr float kWidest = 8;
constexpr float kFinestBegins = 2;
constexpr float kNarrowest = 1;
constexpr float kNarrows = 0.9F;

constexpr double kAlreadyRight = 0.5;  ///< mean distance of the outlines, in the masks' pixels

// A view is suspected where its outline is this far off, in pixels of the 224×224 projection (half
// of one of ShapeNet's renderings), and this many times the median of all; it is wrong where the
// others agree better without it. With thirteen objects, eight views and one camera turned by 20°,
// the wrong one was named in 47 of 52 fits, another one too in 1; with right cameras none was named
// in 52 fits of eight and 24 views.
constexpr double kSuspectPixels = 0.5 * kImageSize / 137;
constexpr double kSuspectRatio = 1.5;
constexpr double kBetterWithout = 0.85;
constexpr double kBetterByChance = 1.5;  ///< views: with few, leaving out any one frees the others
constexpr std::size_t kFewestToJudge = 4;
constexpr std::size_t kMostSuspects = 2;

/// Biharmonic smoothing (Kobbelt et al. 1998), no stronger than it takes.
Points smoothStart(const Points& start, const MeshLevels& levels) {
    Points smooth = start;
    for (int strength = 4; strength <= kMostSmoothing; strength *= 2) {
        if (fitting::meanCrease(levels, smooth) <= kSmoothEnough) break;
        smooth = start;
        Points inner;
        const auto apply = [&](const Points& x, Points& product) {
            levels.laplacian(x, inner);
            levels.laplacianTransposed(inner, product);
            for (std::size_t v = 0; v < x.size(); ++v)
                product[v] = x[v] + static_cast<float>(strength) * product[v];
        };
        constexpr int kSteps = 60;
        conjugateGradients(apply, start, smooth, kSteps, fitting::kSolverEnough);
    }
    return smooth;
}

/// Of a mesh that agrees with the photographs and is smooth, the curvature is shape; of one that
/// does not, or is crumpled, it is noise. With the bundled model's meshes keeping it is worth a
/// point of F(τ) with 8 and 24 photographs, and an eighth of the chamfer distance.
fitting::FitStart startOf(const Points& start, const MeshLevels& levels, double overlap) {
    constexpr double kCrumpled = 0.06;  ///< meanCrease() from which on less is kept
    const double crumpled = kCrumpled / std::max(fitting::meanCrease(levels, start), kCrumpled);
    const auto kept = static_cast<float>(overlap * overlap * std::pow(crumpled, 4));
    fitting::FitStart from{smoothStart(start, levels), {}};
    const Points normals = vertexNormals(from.vertices, levels.faces());
    Points laplacian;
    levels.laplacian(from.vertices, laplacian);
    for (std::size_t v = 0; v < laplacian.size(); ++v)
        from.curvature.push_back(kept * glm::dot(normals[v], laplacian[v]));
    return from;
}

/// Mean over the views; 0 without any.
double overlapOf(const std::vector<SilhouetteScore>& scores) {
    double sum = 0;
    for (const SilhouetteScore& score : scores) sum += score.overlap;
    return scores.empty() ? 0 : sum / static_cast<double>(scores.size());
}

int threadsOf(const FitOptions& options) {
    return options.threads > 0 ? options.threads : omp_get_max_threads();
}

void checkStart(const Points& start, const MeshLevels& levels) {
    if (start.size() != levels.vertices())
        throw InputError(
            {"mesh to fit", "",
             fmt::format("{} vertices, its faces belong to {}", start.size(), levels.vertices()),
             ""});
    for (const glm::vec3& vertex : start)
        if (!std::isfinite(vertex.x) || !std::isfinite(vertex.y) || !std::isfinite(vertex.z))
            throw InputError({"mesh to fit", "", "a coordinate is not finite", ""});
}

/// The views that may contradict all others, the worst first.
std::vector<std::size_t> suspectedViews(const std::vector<double>& distances) {
    if (distances.size() < kFewestToJudge) return {};
    std::vector<std::size_t> worst(distances.size());
    std::iota(worst.begin(), worst.end(), std::size_t{0});
    std::stable_sort(worst.begin(), worst.end(),
                     [&](std::size_t a, std::size_t b) { return distances[a] > distances[b]; });
    const double median = distances[worst[worst.size() / 2]];
    const double least = std::max(kSuspectPixels, kSuspectRatio * median);
    worst.resize(kMostSuspects);
    std::erase_if(worst, [&](std::size_t i) { return distances[i] < least; });
    return worst;
}

/// The photographs that a mesh is fitted to, and the fits.
class Photographs {
  public:
    Photographs(const MeshLevels& levels, const Camera& space, std::span<const MaskedView> views,
                const FitOptions& options, fitting::FitSteps& steps, FitResult& result)
        : levels_(levels),
          options_(options),
          threads_(threadsOf(options)),
          steps_(steps),
          result_(result) {
        std::vector<std::optional<Outline>> outlines(views.size());
        std::vector<std::pair<std::string, std::vector<int>>> unusable;
        parallelFor(threads_, views.size(), options.cancel,
                    [&](std::size_t i, std::size_t /*thread*/) {
                        if (views[i].mask)
                            outlines[i] = Outline::of(*views[i].mask, kOutlinePoints);
                    });
        for (std::size_t i = 0; i < views.size(); ++i) {
            if (outlines[i] && !outlines[i]->points().empty()) {
                used_.push_back({views[i].view, &views[i].photograph,
                                 std::make_unique<OutlineTerms>(*std::move(outlines[i]), space,
                                                                views[i].camera)});
            } else {
                const std::string why = views[i].problem.empty()
                                            ? "no outline of the object to fit to"
                                            : views[i].problem;
                result_.leftOut.push_back(views[i].view);
                auto alike =
                    std::ranges::find(unusable, why, &decltype(unusable)::value_type::first);
                if (alike == unusable.end()) alike = unusable.insert(alike, {why, {}});
                alike->second.push_back(views[i].view);
            }
        }
        for (const auto& [why, all] : unusable)
            result_.notes.push_back(fmt::format(
                "view{} {}: {}: left out", all.size() == 1 ? "" : "s", fmt::join(all, ", "), why));
    }

    /// What each of them says of a mesh.
    std::vector<SilhouetteScore> compare(const Points& vertices) const {
        std::vector<SilhouetteScore> scores(used_.size());
        parallelFor(threads_, used_.size(), options_.cancel,
                    [&](std::size_t i, std::size_t /*thread*/) {
                        scores[i] = used_[i].terms->compare(vertices, levels_.faces());
                    });
        return scores;
    }

    /// Between the outlines of mesh and photographs, 224×224 pixels; far where one has none.
    std::vector<double> distancesOf(const std::vector<SilhouetteScore>& scores) const {
        std::vector<double> distances;
        for (std::size_t i = 0; i < scores.size(); ++i)
            distances.push_back(scores[i].distance ? scores[i].distance->mean * pixel(i)
                                                   : static_cast<double>(kImageSize));
        return distances;
    }

    /// From the coarsest level on.
    Points fit(const fitting::FitStart& start) { return fitFrom(0, start, start.vertices); }

    /// Leaves out the view that all others agree better without than in `fitted`, if there is one;
    /// returns where it was.
    std::optional<std::size_t> leaveOutWrong(const fitting::FitStart& start, const Points& fitted) {
        const std::vector<double> distances = distancesOf(compare(fitted));
        const std::vector<std::size_t> suspects = suspectedViews(distances);
        const auto sumOfOthers = [&](std::vector<double> all) {
            for (const std::size_t suspect : suspects) all[suspect] = 0;
            return std::accumulate(all.begin(), all.end(), 0.0);
        };
        const auto count = static_cast<double>(used_.size());
        double best = std::min(kBetterWithout, 1 - kBetterByChance / count);
        std::optional<std::size_t> wrong;
        double away = 0;
        for (const std::size_t suspect : suspects) {
            const Points without = fitFrom(levels_.count() - 1, start, fitted, suspect);
            const std::vector<double> after = distancesOf(compare(without));
            const double share = sumOfOthers(after) / sumOfOthers(distances);
            // A view that gains as well was not what held the others back.
            if (share < best && after[suspect] > distances[suspect]) {
                best = share;
                wrong = suspect;
                away = after[suspect] / pixel(suspect);
            }
        }
        if (!wrong) return std::nullopt;
        const int view = used_[*wrong].view;
        result_.leftOut.push_back(view);
        result_.notes.push_back(
            fmt::format("view {}: contradicts the others, by {:.1f} pixels in the mean: left out; "
                        "check its camera and its mask",
                        view, away));
        used_.erase(used_.begin() + static_cast<std::ptrdiff_t>(*wrong));
        return wrong;
    }

    int view(std::size_t i) const { return used_[i].view; }
    /// Side of the mask's pixels in pixels of the 224×224 projection.
    double pixel(std::size_t i) const { return used_[i].terms->outline().pixel(); }

  private:
    struct Used {
        int view;
        const Image* photograph;
        std::unique_ptr<OutlineTerms> terms;
    };

    Points fitFrom(std::size_t level, const fitting::FitStart& start, const Points& vertices,
                   std::optional<std::size_t> without = {}) {
        fitting::FitTerms terms;
        std::vector<fitting::ColourTerm::View> colours;
        for (std::size_t i = 0; i < used_.size(); ++i) {
            if (i == without) continue;
            terms.views.push_back(used_[i].terms.get());
            colours.push_back({used_[i].terms.get(), used_[i].photograph});
        }
        fitting::CoverageTerm coverage(levels_, terms.views, threads_, options_.cancel);
        terms.others.push_back(&coverage);
        std::optional<fitting::ColourTerm> colour;
        if (options_.colour) {
            colour.emplace(levels_, colours, threads_, options_.cancel);
            terms.others.push_back(&*colour);
        }
        // Fewer than the start has, as some come back between two looks.
        fitting::Untangling untangling(levels_, terms.views.size(), result_.foldedBefore * 3 / 4,
                                       result_.intersectingBefore * 3 / 4);
        terms.others.push_back(&untangling);
        steps_.begin(levels_, start, terms, vertices);
        stepFrom(level, coverage, colour ? &*colour : nullptr);
        return steps_.vertices();
    }

    /// The steps from the level `first` to the finest. `colour` may be null.
    void stepFrom(std::size_t first, fitting::CoverageTerm& coverage, fitting::ColourTerm* colour) {
        for (std::size_t level = first; level < levels_.count(); ++level) {
            const std::size_t most = mostSteps(level);
            std::size_t sinceBest = 0;
            double best = std::numeric_limits<double>::infinity();
            float deviation = firstDeviation(level);
            for (std::size_t step = 0; step < most && sinceBest < kPatience; ++step) {
                if (options_.cancel.stop_requested()) throw Cancelled();
                coverage.setDeviation(std::max(deviation, kNarrowest));
                coverage.setFine(level + 1 == levels_.count());
                if (colour) colour->setDeviation(std::max(firstDeviation(level) / 2, 1.0F));
                if (level + 1 == levels_.count()) deviation *= kNarrows;
                result_.steps.push_back(steps_.take(level));
                const double energy = result_.steps.back().energy;
                sinceBest = energy < kProgress * best ? 0 : sinceBest + 1;
                best = std::min(best, energy);
                report(level, step + 1, most);
            }
        }
    }

    std::size_t mostSteps(std::size_t level) const {
        if (level + 1 == levels_.count()) return kMostSteps[2];
        return level == 0 ? kMostSteps[0] : kMostSteps[1];
    }

    float firstDeviation(std::size_t level) const {
        if (levels_.count() == 1) return kWidest;
        const auto finer = static_cast<int>(levels_.count() - 1 - level);
        return std::min(std::ldexp(kFinestBegins, finer), kWidest);
    }

    void report(std::size_t level, std::size_t step, std::size_t most) const {
        if (!options_.progress) return;
        std::size_t before = 0;
        std::size_t all = 0;
        for (std::size_t i = 0; i < levels_.count(); ++i) {
            if (i < level) before += mostSteps(i);
            all += mostSteps(i);
        }
        const auto within = static_cast<double>(before + std::min(step, most));
        options_.progress(steps_.vertices(), within / static_cast<double>(all));
    }

    const MeshLevels& levels_;
    const FitOptions& options_;
    const int threads_;
    fitting::FitSteps& steps_;
    FitResult& result_;
    std::vector<Used> used_;
};

}  // namespace

double FitResult::overlap(SilhouetteScore FitAgreement::*mesh) const {
    double sum = 0;
    for (const FitAgreement& view : agreement) sum += (view.*mesh).overlap;
    return sum / static_cast<double>(std::max<std::size_t>(agreement.size(), 1));
}

FitResult fitMesh(const Points& start, const MeshLevels& levels, const Camera& space,
                  std::span<const MaskedView> views, const FitOptions& options) {
    fitting::ProcessorSteps steps(threadsOf(options), options.cancel);
    return fitMesh(start, levels, space, views, options, steps);
}

FitResult fitMesh(const Points& start, const MeshLevels& levels, const Camera& space,
                  std::span<const MaskedView> views, const FitOptions& options,
                  fitting::FitSteps& steps) {
    checkStart(start, levels);
    const Stopwatch watch;
    FitResult result;
    result.vertices = start;
    result.creaseBefore = fitting::meanCrease(levels, start);
    result.foldedBefore = fitting::foldedFaces(levels, start).size();
    result.intersectingBefore = intersectingFaces(start, levels.faces()).size();

    Photographs photographs(levels, space, views, options, steps, result);
    std::vector<SilhouetteScore> before = photographs.compare(start);
    const bool isRight =
        std::all_of(before.begin(), before.end(), [](const SilhouetteScore& score) {
            return score.distance && score.distance->mean <= kAlreadyRight;
        });
    if (!isRight) {
        const fitting::FitStart from = startOf(start, levels, overlapOf(before));
        result.vertices = photographs.fit(from);
        const std::size_t doubtful = options.judgesViews ? before.size() / kFewestToJudge : 0;
        for (std::size_t most = doubtful; most > 0; --most) {
            const auto wrong = photographs.leaveOutWrong(from, result.vertices);
            if (!wrong) break;
            before.erase(before.begin() + static_cast<std::ptrdiff_t>(*wrong));
            result.vertices = photographs.fit(from);
        }
    }

    const std::vector<SilhouetteScore> after = photographs.compare(result.vertices);
    for (std::size_t i = 0; i < after.size(); ++i)
        result.agreement.push_back({photographs.view(i), before[i], after[i]});
    result.creaseAfter = fitting::meanCrease(levels, result.vertices);
    result.foldedAfter = fitting::foldedFaces(levels, result.vertices).size();
    result.intersectingAfter = intersectingFaces(result.vertices, levels.faces()).size();
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
