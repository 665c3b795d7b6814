#include "engine/stereo/depth_surface.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/hull/hull_field.h"
#include "engine/hull/lattice.h"
#include "engine/hull/mesh_pieces.h"
#include "engine/profile/stopwatch.h"
#include "engine/stereo/depth_maps.h"
#include "engine/stereo/depth_votes.h"
#include "engine/stereo/fusion.h"
#include "engine/stereo/silhouette_bound.h"
#include "engine/stereo/total_variation.h"
#include "engine/stereo/view_dependence.h"

namespace threefold {
namespace {

using namespace stereo;

/// Points of the lattice along the start mesh's longest side.
constexpr int kCells = 96;
constexpr int kMargin = 5;
/// Beyond so many spacings from the silhouettes' surface, distances are cut.
constexpr double kFarCells = 6;
/// Pixels of the object's longest side in the photographs of the last round.
constexpr double kObjectPixels = 256;
constexpr int kLeastSide = 48;
/// Truncation of distances, in spacings of the lattice and in steps of the depth maps.
constexpr double kTruncation = 3;
constexpr double kTruncationSteps = 1.5;
constexpr float kSmoothness = 0.35F;
constexpr int kVariationSteps = 120;
constexpr float kPrior = 0.15F;    ///< weight of the start where photographs speak
constexpr float kSilentPrior = 3;  ///< beside the start's surface where they do not
constexpr float kMostWeight = 6;
constexpr double kLeastStrong = 0.25;
/// The start is sampled on a lattice so many times finer, too, for parts thinner than a spacing.
constexpr int kStartFiner = 2;
/// Vertices from which the even mesh is chosen.
constexpr double kFineVertices = 50'000;

/// One round of matching.
struct Round {
    MatchOptions match;
    VoteRules votes;
    /// Steps of depth that the surface is taken nearer by: parts that are as thin as the maps are
    /// coarse stay for the next round to look at.
    float nearer;
    /// Near the start's surface the start is a strong prior where no depth speaks.
    bool keepsSilentStart;
    double progress;  ///< when its depth maps are made
};

/// Coarse with many depths, in photographs of half the size.
Round coarseRound() {
    Round round{};
    round.match.sweep = {.labels = 48, .firstLabel = -2, .pixels = 1, .slants = 5, .radius = 2};
    round.votes.leastPixels = 7;
    round.nearer = 1;
    round.progress = 0.4;
    return round;
}

/// Fine around the coarse round's surface.
Round fineRound() {
    Round round{};
    round.match.sweep = {.labels = 17, .firstLabel = -8, .pixels = 1, .slants = 1, .radius = 3};
    round.votes = {.fullMargin = 0.30F, .leastPixels = 19};
    round.keepsSilentStart = true;
    round.progress = 0.8;
    return round;
}

/// Stricter rules where the brightness depends on the view (viewDependence()): light that turns
/// with the camera and highlights imitate surfaces, in many views at once, but with small margins.
VoteRules cautious(VoteRules rules, double dependence) {
    constexpr double kFixed = 0.1;    // below: light that is fixed, a matt surface
    constexpr double kTurning = 0.2;  // above: the strictest rules
    const auto caution =
        static_cast<float>(std::clamp((dependence - kFixed) / (kTurning - kFixed), 0.0, 1.0));
    if (caution == 0) return rules;
    rules.leastMargin = std::lerp(rules.leastMargin, 0.10F, caution);
    rules.fullMargin = std::lerp(rules.fullMargin, 0.35F, caution);
    rules.leastStrong = 0.3F * caution;
    return rules;
}

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"depth from photographs", "", std::move(problem), std::move(remedy)});
}

const simd::SweepKernels& kernelsNamed(std::string_view name) {
    for (const simd::SweepKernels* kernels : simd::availableSweepKernels())
        if (name.empty() || kernels->name == name) return *kernels;
    refuse(fmt::format("instructions '{}' are unknown, or this processor lacks them", name),
           "Leave them out: the fastest are taken.");
}

/// How the steps compute, and the time that each took.
struct Execution {
    const DepthOptions& options;
    const simd::SweepKernels& kernels;
    int threads;
    std::vector<DepthStepTime> times;

    template <class Work>
    auto timed(std::string_view step, const Work& work) {
        if (options.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        auto result = work();
        const auto known = std::ranges::find(times, step, &DepthStepTime::step);
        if (known == times.end())
            times.push_back({step, watch.milliseconds()});
        else
            known->milliseconds += watch.milliseconds();
        return result;
    }

    void report(double done) const {
        if (options.progress) options.progress(done);
    }
};

/// With at most `side` pixels on a side.
Mask shrunk(const Mask& mask, int side) {
    if (mask.width <= side) return mask;
    Mask small = resized(mask, side, side);
    if (!mask.known.empty())
        small.known = resized({mask.width, mask.height, mask.known}, side, side).inside;
    return small;
}

/// As many pixels on a picture's side as show the object's longest side with kObjectPixels.
int sideOfViews(const Mesh& start, std::span<const MaskedView* const> photographs) {
    double share = 0;  // of the picture's side, largest over the views
    int most = 0;
    for (const MaskedView* view : photographs) {
        const Projection projection(view->camera, kImageSize);
        glm::dvec2 low(1e9);
        glm::dvec2 high(-1e9);
        for (const glm::vec3& vertex : start.vertices) {
            const glm::dvec2 at(projection.project(glm::dvec3(vertex)));
            low = glm::min(low, at);
            high = glm::max(high, at);
        }
        share = std::max({share, (high.x - low.x) / kImageSize, (high.y - low.y) / kImageSize});
        most = std::max(most, view->photograph.width);
    }
    const double wanted = std::min<double>(most, kObjectPixels / std::clamp(share, 0.05, 1.0));
    return std::max(kLeastSide, 2 * static_cast<int>(std::lround(wanted / 2)));
}

std::vector<StereoView> stereoViews(const Mesh& start,
                                    std::span<const MaskedView* const> photographs,
                                    const Execution& run) {
    const int side = sideOfViews(start, photographs);
    std::vector<std::optional<StereoView>> made(photographs.size());
    parallelFor(run.threads, made.size(), run.options.cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    const MaskedView& from = *photographs[i];
                    made[i] = stereoView(from.camera, from.photograph, *from.mask, side);
                    made[i]->view = from.view;
                });
    std::vector<StereoView> views;
    views.reserve(made.size());
    for (std::optional<StereoView>& view : made) views.push_back(std::move(*view));
    return views;
}

std::vector<StereoView> halvedViews(std::span<const StereoView> views) {
    std::vector<StereoView> halves;
    halves.reserve(views.size());
    for (const StereoView& view : views) halves.push_back(halved(view));
    return halves;
}

SilhouetteBound boundOf(const Lattice& lattice, std::span<const MaskedView* const> photographs,
                        int side, const Execution& run) {
    // Five of a mask's pixels in a cell of the lattice are enough.
    std::vector<std::unique_ptr<hull::Silhouette>> owned(photographs.size());
    parallelFor(run.threads, owned.size(), run.options.cancel,
                [&](std::size_t i, std::size_t /*thread*/) {
                    owned[i] = std::make_unique<hull::Silhouette>(
                        photographs[i]->camera, shrunk(*photographs[i]->mask, 2 * side));
                });
    std::vector<const hull::Silhouette*> all;
    all.reserve(owned.size());
    for (const auto& each : owned) all.push_back(each.get());
    const hull::HullField field(all, std::min(run.options.tolerated, all.size() - 1));
    return silhouetteBound(lattice, field, static_cast<float>(kFarCells * lattice.spacing),
                           run.threads, run.options.cancel);
}

/// A round's depth maps, and how much each of their depths counts.
struct Matched {
    std::vector<DepthMap> maps;
    std::vector<Agreement> agreement;
    float step = 0;  ///< median of the maps'
};

Matched matched(std::span<const StereoView> views, const Mesh& surface, const Round& round,
                double before, Execution& run) {
    Matched found;
    found.maps = run.timed("sweep and aggregation", [&] {
        std::size_t made = 0;
        return depthMaps(views, surface, round.match, run.kernels, run.threads, run.options.cancel,
                         [&](std::size_t view, const DepthMap& map) {
                             const double share = double(++made) / double(views.size());
                             run.report(before + share * (round.progress - before));
                             if (run.options.map)
                                 run.options.map({views[view].view, views[view].side, map.depth});
                         });
    });
    found.agreement = run.timed("agreement", [&] {
        return agreementOf(views, found.maps, run.threads, run.options.cancel);
    });
    std::vector<float> steps;
    for (const DepthMap& map : found.maps) steps.push_back(map.step);
    std::ranges::nth_element(steps, steps.begin() + std::ssize(steps) / 2);
    found.step = steps[steps.size() / 2];
    return found;
}

std::vector<DepthVotes> votesOf(std::span<const StereoView> views, const Matched& found,
                                const VoteRules& rules, const std::stop_token& cancel) {
    std::vector<DepthVotes> votes;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (cancel.stop_requested()) throw Cancelled();
        votes.push_back(stereo::votesOf(views[i], found.maps[i], found.agreement[i], rules));
    }
    return votes;
}

/// Values at the points of a lattice.
struct Volume {
    const Lattice& lattice;
    std::vector<float> values;

    float at(glm::dvec3 place, float outside) const {
        return interpolated(lattice, values, place, outside);
    }
};

/// What a point of the lattice is told by the start alone.
struct SilentStart {
    float distance;  ///< signed, in truncations, −1…1
    float weight;    ///< 0…1: how little depths say there, near the start's surface
};

SilentStart silentStart(float start, float truncation, float votes) {
    const float distance = std::clamp(start / truncation, -1.0F, 1.0F);
    return {distance, std::clamp(1 - votes, 0.0F, 1.0F) *
                          std::clamp(2 * (1 - std::abs(distance)), 0.0F, 1.0F)};
}

/// Signed distance to the surface that depths and start agree on, in object units.
Volume fusedField(std::span<const StereoView> views, const Matched& found, const Round& round,
                  const SilhouetteBound& bound, const Volume& start, Execution& run) {
    const Lattice& lattice = start.lattice;
    const auto truncation = static_cast<float>(std::clamp(
        kTruncationSteps * found.step, kTruncation * lattice.spacing, kFarCells * lattice.spacing));
    std::vector<float> silent(lattice.count());
    const FusedDistance fusion = run.timed("fusion", [&] {
        const std::vector<DepthVotes> votes =
            votesOf(views, found, round.votes, run.options.cancel);
        FusedDistance fused = fuse(lattice, bound.inside, views, found.maps, votes, truncation,
                                   round.nearer, run.threads, run.options.cancel);
        for (std::size_t i = 0; i < silent.size(); ++i) {
            float& weight = fused.weight[i];
            const SilentStart here = silentStart(start.values[i], truncation, weight);
            silent[i] = round.keepsSilentStart ? here.weight : 0;
            if (bound.inside[i] == 0) continue;
            const float prior = kPrior + (kSilentPrior - kPrior) * silent[i];
            const float sum = weight + prior;
            fused.distance[i] = (weight * fused.distance[i] + prior * here.distance) / sum;
            weight = std::min(sum, kMostWeight);
        }
        return fused;
    });
    return run.timed("total variation", [&] {
        const std::vector<float> smooth =
            minimiseVariation({lattice, bound.inside, fusion.distance, fusion.weight, kSmoothness},
                              kVariationSteps, run.threads, run.options.cancel);
        Volume field{lattice, bound.distance};
        for (std::size_t i = 0; i < smooth.size(); ++i) {
            float& here = field.values[i];
            if (bound.inside[i] != 0) here = std::max(here, truncation * smooth[i]);
            // Smoothing shrinks thin parts away: where nothing speaks, the start itself stays.
            const float most = truncation;
            here += silent[i] * (std::clamp(start.values[i], -most, most) - here);
        }
        return field;
    });
}

hull::LatticeOptions latticeOptions(const Lattice& lattice, const Execution& run) {
    const glm::ivec3 last = lattice.first + lattice.size;
    const int reach =
        std::max({-lattice.first.x, -lattice.first.y, -lattice.first.z, last.x, last.y, last.z});
    hull::LatticeOptions how;
    how.spacing = lattice.spacing;
    how.reach = lattice.spacing * reach;
    how.steepest = 2;  // total variation makes steps
    how.threads = run.threads;
    how.cancel = run.options.cancel;
    return how;
}

float outsideOf(const Lattice& lattice) {
    return static_cast<float>(kFarCells * lattice.spacing);
}

Mesh surfaceOf(const Volume& field, const Execution& run) {
    const float outside = outsideOf(field.lattice);
    Mesh surface = hull::extractSurface(
        [&](glm::dvec3 place, float /*most*/) { return field.at(place, outside); },
        latticeOptions(field.lattice, run));
    hull::dropSmallPieces(surface);
    return surface;
}

/// The field's surface, and of the start whatever the field's lattice is too coarse for: near the
/// start's surface the difference between its distances on a finer lattice and on the field's.
Mesh evenSurfaceOf(const Volume& field, const Volume& start, const Mesh& startMesh,
                   Execution& run) {
    const Lattice fine = Lattice::around(startMesh, kStartFiner * kCells, kMargin);
    const auto near = static_cast<float>(2 * field.lattice.spacing);
    const Volume startFine = run.timed("start", [&] {
        return Volume{fine, signedDistance(fine, startMesh, near, run.threads, run.options.cancel)};
    });
    const float outside = outsideOf(field.lattice);
    const hull::Field at = [&](glm::dvec3 place, float /*most*/) {
        const float value = field.at(place, outside);
        const float detailed = startFine.at(place, near);
        const float closeness = std::clamp(2 - 2 * std::abs(detailed) / near, 0.0F, 1.0F);
        return closeness > 0 ? value + closeness * (detailed - start.at(place, outside)) : value;
    };
    Mesh surface = run.timed("surface", [&] {
        Mesh found =
            hull::extractFineSurface(at, kFineVertices, latticeOptions(field.lattice, run));
        hull::dropSmallPieces(found);
        return found;
    });
    if (surface.faces.empty()) return surface;
    return run.timed("even mesh", [&] {
        return hull::evenMesh(std::move(surface), run.options.vertices, at, run.threads,
                              run.options.cancel);
    });
}

/// The depths that views agree on.
std::vector<ViewDepths> sureDepths(std::span<const StereoView> views, const Matched& found,
                                   std::span<const DepthVotes> votes) {
    std::vector<ViewDepths> all;
    for (std::size_t i = 0; i < views.size(); ++i) {
        ViewDepths depths{views[i].view, views[i].side, found.maps[i].depth};
        for (std::size_t at = 0; at < depths.depth.size(); ++at)
            if (!(votes[i].weight[at] > 0)) depths.depth[at] = 0;
        all.push_back(std::move(depths));
    }
    return all;
}

DepthSurface judged(std::span<const StereoView> views, const Matched& found, VoteRules rules,
                    const std::stop_token& cancel) {
    const std::vector<DepthVotes> votes = votesOf(views, found, rules, cancel);
    DepthSurface result;
    for (const DepthVotes& each : votes) {
        result.sure += each.sure / static_cast<double>(votes.size());
        result.strong += each.strong / static_cast<double>(votes.size());
    }
    result.maps = sureDepths(views, found, votes);
    return result;
}

DepthSurface refined(const Mesh& startMesh, std::span<const MaskedView* const> photographs,
                     Execution& run) {
    const std::vector<StereoView> views =
        run.timed("pictures", [&] { return stereoViews(startMesh, photographs, run); });
    const std::vector<StereoView> halves =
        run.timed("pictures", [&] { return halvedViews(views); });
    const Lattice lattice = Lattice::around(startMesh, kCells, kMargin);
    const SilhouetteBound bound = run.timed(
        "silhouettes", [&] { return boundOf(lattice, photographs, views.front().side, run); });
    const Volume start{lattice, run.timed("start", [&] {
                           return signedDistance(lattice, startMesh,
                                                 static_cast<float>(kMargin * lattice.spacing),
                                                 run.threads, run.options.cancel);
                       })};

    const Round coarse = coarseRound();
    Round fine = fineRound();
    Mesh surface = run.timed("surface", [&] { return surfaceOf({lattice, bound.distance}, run); });
    const Matched coarseMaps = matched(halves, surface, coarse, 0, run);
    const Volume coarseField = fusedField(halves, coarseMaps, coarse, bound, start, run);
    surface = run.timed("surface", [&] { return surfaceOf(coarseField, run); });
    const Matched fineMaps = matched(views, surface, fine, coarse.progress, run);

    const double dependence =
        run.timed("light", [&] { return viewDependence(views, fineMaps.maps, surface); });
    fine.votes = cautious(fine.votes, dependence);
    DepthSurface result =
        judged(views, fineMaps, {.leastPixels = fine.votes.leastPixels}, run.options.cancel);
    if (run.options.always || result.strong >= kLeastStrong) {
        const Volume field = fusedField(views, fineMaps, fine, bound, start, run);
        result.mesh = evenSurfaceOf(field, start, startMesh, run);
    }
    return result;
}

}  // namespace

DepthSurface depthSurface(const Mesh& start, std::span<const MaskedView* const> views,
                          const DepthOptions& options) {
    const Stopwatch watch;
    Execution run{options,
                  kernelsNamed(options.instructions),
                  options.threads > 0 ? options.threads : omp_get_max_threads(),
                  {}};
    if (views.size() < kFewestForDepth)
        refuse(fmt::format("{} photographs, expected {} or more", views.size(), kFewestForDepth),
               "Take more photographs around the object.");
    if (start.faces.empty()) refuse("the start mesh has no faces", "");
    DepthSurface result = refined(start, views, run);
    run.report(1);
    result.times = std::move(run.times);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
