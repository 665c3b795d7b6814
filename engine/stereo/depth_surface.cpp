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
#include "engine/stereo/total_variation.h"

namespace threefold {
namespace {

using namespace stereo;

/// Points of the lattice along the start mesh's longest side.
constexpr int kCells = 96;
constexpr int kMargin = 5;
constexpr int kBlock = 4;  ///< points along a side of a cube of the lattice
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
constexpr std::size_t kViewsForTwoWitnesses = 12;

/// One round of matching: coarse with many depths, then fine around its surface.
struct Round {
    MatchOptions match;
    bool halvedPictures;
    std::size_t leastPixels;  ///< of connected sure depths
};

std::vector<Round> rounds() {
    Round coarse;
    coarse.match.sweep = {.labels = 48, .firstLabel = -2, .pixels = 1, .slants = 5, .radius = 2};
    coarse.halvedPictures = true;
    coarse.leastPixels = 7;
    Round fine;
    fine.match.sweep = {.labels = 17, .firstLabel = -8, .pixels = 1, .slants = 1, .radius = 3};
    fine.halvedPictures = false;
    fine.leastPixels = 19;
    return {coarse, fine};
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

/// With at most `side` pixels on a side.
Mask shrunk(const Mask& mask, int side) {
    if (mask.width <= side) return mask;
    Mask small = resized(mask, side, side);
    if (!mask.known.empty())
        small.known = resized({mask.width, mask.height, mask.known}, side, side).inside;
    return small;
}

class Refinement {
  public:
    Refinement(const Mesh& start, std::span<const DepthView> photographs,
               const DepthOptions& options)
        : start_(start),
          options_(options),
          kernels_(kernelsNamed(options.instructions)),
          threads_(options.threads > 0 ? options.threads : omp_get_max_threads()) {
        if (photographs.size() < kFewestForDepth)
            refuse(fmt::format("{} photographs, expected {} or more", photographs.size(),
                               kFewestForDepth),
                   "Take more photographs around the object.");
        if (start.faces.empty()) refuse("the start mesh has no faces", "");
        timed("pictures", [&] { loadViews(photographs); });
        timed("silhouettes", [&] { makeSilhouetteField(photographs); });
        timed("prior", [&] { makePrior(); });
    }

    DepthSurface run() {
        Mesh surface = extracted(silhouettes_, "surface");
        const std::vector<Round> all = rounds();
        for (std::size_t i = 0; i < all.size(); ++i) {
            match(all[i], surface);
            const bool isLast = i + 1 == all.size();
            if (isLast) judge(all[i]);
            if (isLast && !options_.always && result_.strong < kLeastStrong) break;
            std::vector<float> field = fused(all[i], isLast);
            surface = extracted(field, "surface");
            if (isLast && !surface.faces.empty())
                timed("even mesh", [&] {
                    result_.mesh = hull::evenMesh(std::move(surface), options_.vertices,
                                                  fieldOf(field), threads_, options_.cancel);
                });
        }
        report(1);
        return std::move(result_);
    }

  private:
    template <class Work>
    void timed(std::string_view step, const Work& work) {
        if (options_.cancel.stop_requested()) throw Cancelled();
        const Stopwatch watch;
        work();
        const auto known = std::ranges::find(result_.times, step, &DepthStepTime::step);
        if (known == result_.times.end())
            result_.times.push_back({step, watch.milliseconds()});
        else
            known->milliseconds += watch.milliseconds();
    }

    void report(double done) const {
        if (options_.progress) options_.progress(done);
    }

    /// All photographs in as many pixels as show the object's longest side with kObjectPixels.
    void loadViews(std::span<const DepthView> photographs) {
        double share = 0;  // of the picture's side, largest over the views
        int most = 0;
        for (const DepthView& view : photographs) {
            const Projection projection(view.camera, kImageSize);
            glm::dvec2 low(1e9);
            glm::dvec2 high(-1e9);
            for (const glm::vec3& vertex : start_.vertices) {
                const glm::dvec2 at(projection.project(glm::dvec3(vertex)));
                low = glm::min(low, at);
                high = glm::max(high, at);
            }
            share = std::max({share, (high.x - low.x) / kImageSize, (high.y - low.y) / kImageSize});
            most = std::max(most, view.photograph->width);
        }
        const double wanted = std::min<double>(most, kObjectPixels / std::clamp(share, 0.05, 1.0));
        const int side = std::max(kLeastSide, 2 * static_cast<int>(std::lround(wanted / 2)));
        views_.reserve(photographs.size());
        std::vector<std::optional<StereoView>> views(photographs.size());
        parallelFor(threads_, views.size(), options_.cancel,
                    [&](std::size_t i, std::size_t /*thread*/) {
                        const DepthView& from = photographs[i];
                        views[i] = stereoView(from.camera, *from.photograph, *from.mask, side);
                    });
        for (std::optional<StereoView>& view : views) {
            halved_.push_back(halved(*view));
            views_.push_back(std::move(*view));
        }
    }

    bool isBorder(glm::ivec3 at) const {
        for (int axis = 0; axis < 3; ++axis)
            if (at[axis] == 0 || at[axis] + 1 == lattice_.size[axis]) return true;
        return false;
    }

    void makeSilhouetteField(std::span<const DepthView> photographs) {
        lattice_ = Lattice::around(start_, kCells, kMargin);
        // Five of a mask's pixels in a cell of the lattice are enough.
        std::vector<std::unique_ptr<hull::Silhouette>> owned(photographs.size());
        parallelFor(
            threads_, owned.size(), options_.cancel, [&](std::size_t i, std::size_t /*thread*/) {
                owned[i] = std::make_unique<hull::Silhouette>(
                    photographs[i].camera, shrunk(*photographs[i].mask, 2 * views_[i].side));
            });
        std::vector<const hull::Silhouette*> all;
        for (const auto& each : owned) all.push_back(each.get());
        const hull::HullField field(all, std::min(options_.tolerated, all.size() - 1));
        const auto most = static_cast<float>(kFarCells * lattice_.spacing);
        silhouettes_.assign(lattice_.count(), most);
        inside_.resize(lattice_.count());
        const glm::ivec3 blocks = (lattice_.size + (kBlock - 1)) / kBlock;
        parallelFor(threads_, static_cast<std::size_t>(blocks.x), options_.cancel,
                    [&](std::size_t x, std::size_t /*thread*/) {
                        for (int y = 0; y < blocks.y; ++y)
                            for (int z = 0; z < blocks.z; ++z)
                                fillBlock(kBlock * glm::ivec3(static_cast<int>(x), y, z), field);
                    });
    }

    /// The silhouettes' field in a cube of the lattice. Far from the surface the field of the
    /// cube's centre decides for all points: no term of the solution reaches there.
    void fillBlock(glm::ivec3 first, const hull::HullField& field) {
        const double spacing = lattice_.spacing;
        const auto most = static_cast<float>(kFarCells * spacing);
        const double radius = std::sqrt(3.0) / 2 * (kBlock - 1) * spacing;
        const auto sure = static_cast<float>(hull::HullField::kSteepest * radius) + most;
        const glm::dvec3 centre =
            spacing * (glm::dvec3(lattice_.first + first) + (kBlock - 1) / 2.0);
        const float value = field.at(centre, sure);
        if (value > sure) return;
        const glm::ivec3 end = glm::min(first + kBlock, lattice_.size);
        for (int x = first.x; x < end.x; ++x)
            for (int y = first.y; y < end.y; ++y)
                for (int z = first.z; z < end.z; ++z) {
                    const glm::ivec3 at(x, y, z);
                    if (isBorder(at)) continue;
                    const std::size_t index = lattice_.index(at);
                    float& here = silhouettes_[index];
                    here = value < -sure
                               ? -most
                               : std::clamp(field.at(lattice_.place(at), most), -most, most);
                    inside_[index] = here < 0.5F * static_cast<float>(spacing) ? 1 : 0;
                }
    }

    void makePrior() {
        prior_ = signedDistance(lattice_, start_, static_cast<float>(kMargin * lattice_.spacing),
                                threads_, options_.cancel);
    }

    std::span<const StereoView> viewsOf(const Round& round) const {
        return round.halvedPictures ? halved_ : views_;
    }

    void match(const Round& round, const Mesh& surface) {
        timed("sweep and aggregation", [&] {
            maps_ = depthMaps(viewsOf(round), surface, round.match, kernels_, threads_,
                              options_.cancel);
        });
        timed("agreement",
              [&] { agreement_ = agreementOf(viewsOf(round), maps_, threads_, options_.cancel); });
        report(round.halvedPictures ? 0.4 : 0.8);
    }

    VoteRules rules(const Round& round) const {
        VoteRules rules;
        rules.leastAgreeing = views_.size() >= kViewsForTwoWitnesses ? 2 : 1;
        rules.leastPixels = round.leastPixels;
        return rules;
    }

    std::vector<DepthVotes> votes(const Round& round, const VoteRules& rules) const {
        const std::span<const StereoView> views = viewsOf(round);
        std::vector<DepthVotes> votes;
        for (std::size_t i = 0; i < views.size(); ++i)
            votes.push_back(votesOf(views[i], maps_[i], agreement_[i], rules));
        return votes;
    }

    void judge(const Round& round) {
        const std::vector<DepthVotes> all = votes(round, rules(round));
        for (const DepthVotes& each : all) {
            result_.sure += each.sure / static_cast<double>(all.size());
            result_.strong += each.strong / static_cast<double>(all.size());
        }
    }

    /// Signed distance of the agreed surface, in object units.
    std::vector<float> fused(const Round& round, bool isLast) {
        VoteRules how = rules(round);
        if (isLast) {
            how.leastMargin = 0.10F;
            how.fullMargin = 0.35F;
            how.leastStrong = 0.3F;
        }
        std::vector<float> steps;
        for (const DepthMap& map : maps_) steps.push_back(map.step);
        std::ranges::nth_element(steps, steps.begin() + std::ssize(steps) / 2);
        const auto truncation = static_cast<float>(
            std::clamp(kTruncationSteps * steps[steps.size() / 2], kTruncation * lattice_.spacing,
                       kFarCells * lattice_.spacing));
        FusedDistance fusion;
        timed("fusion", [&] {
            const std::vector<DepthVotes> all = votes(round, how);
            fusion = fuse(lattice_, inside_, viewsOf(round), maps_, all, truncation, threads_,
                          options_.cancel);
            for (std::size_t i = 0; i < inside_.size(); ++i)
                if (inside_[i] != 0) addPrior(i, truncation, isLast, fusion);
        });
        std::vector<float> field = silhouettes_;
        timed("total variation", [&] {
            const std::vector<float> smooth =
                minimiseVariation({lattice_, inside_, fusion.distance, fusion.weight, kSmoothness},
                                  kVariationSteps, threads_, options_.cancel);
            for (std::size_t i = 0; i < field.size(); ++i)
                if (inside_[i] != 0) field[i] = std::max(field[i], truncation * smooth[i]);
        });
        return field;
    }

    void addPrior(std::size_t i, float truncation, bool isLast, FusedDistance& fusion) const {
        const float prior = std::clamp(prior_[i] / truncation, -1.0F, 1.0F);
        float weight = kPrior;
        if (isLast)
            weight += (kSilentPrior - kPrior) * std::clamp(1 - fusion.weight[i], 0.0F, 1.0F) *
                      std::clamp(2 * (1 - std::abs(prior)), 0.0F, 1.0F);
        const float sum = fusion.weight[i] + weight;
        fusion.distance[i] = (fusion.weight[i] * fusion.distance[i] + weight * prior) / sum;
        fusion.weight[i] = std::min(sum, kMostWeight);
    }

    hull::Field fieldOf(const std::vector<float>& field) const {
        const auto outside = static_cast<float>(kFarCells * lattice_.spacing);
        return [this, &field, outside](glm::dvec3 place, float /*most*/) {
            return interpolated(lattice_, field, place, outside);
        };
    }

    Mesh extracted(const std::vector<float>& field, std::string_view step) {
        Mesh surface;
        timed(step, [&] {
            hull::LatticeOptions how;
            how.spacing = lattice_.spacing;
            const glm::ivec3 last = lattice_.first + lattice_.size;
            const int reach = std::max(
                {-lattice_.first.x, -lattice_.first.y, -lattice_.first.z, last.x, last.y, last.z});
            how.reach = lattice_.spacing * reach;
            how.steepest = 2;  // total variation makes steps
            how.threads = threads_;
            how.cancel = options_.cancel;
            surface = hull::extractSurface(fieldOf(field), how);
            hull::dropSmallPieces(surface);
        });
        return surface;
    }

    const Mesh& start_;
    const DepthOptions& options_;
    const simd::SweepKernels& kernels_;
    int threads_;
    std::vector<StereoView> views_;
    std::vector<StereoView> halved_;
    Lattice lattice_;
    std::vector<float> silhouettes_;  // their field at the lattice's points
    std::vector<std::uint8_t> inside_;
    std::vector<float> prior_;  // the start's signed distance
    std::vector<DepthMap> maps_;
    std::vector<Agreement> agreement_;
    DepthSurface result_;
};

}  // namespace

DepthSurface depthSurface(const Mesh& start, std::span<const DepthView> views,
                          const DepthOptions& options) {
    const Stopwatch watch;
    DepthSurface result = Refinement(start, views, options).run();
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
