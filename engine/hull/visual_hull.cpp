#include "engine/hull/visual_hull.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "engine/compute/parallel.h"
#include "engine/error.h"
#include "engine/hull/hull_field.h"
#include "engine/hull/lattice.h"
#include "engine/hull/mesh_pieces.h"
#include "engine/metrics/silhouette.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

using hull::HullField;
using hull::Silhouette;

struct UsableView {
    int view;
    std::unique_ptr<Silhouette> silhouette;
};

[[noreturn]] void refuse(std::string problem, std::string remedy) {
    throw InputError({"visual hull", "", std::move(problem), std::move(remedy)});
}

/// Why a mask cannot be carved with; empty where it can.
std::string unusable(const std::optional<Mask>& mask) {
    if (!mask) return "no mask";
    const auto inside = std::accumulate(mask->inside.begin(), mask->inside.end(), std::size_t{0});
    if (inside == 0) return "empty mask";
    return inside == mask->inside.size() ? "mask without background" : "";
}

void check(const MaskedView& view) {
    const auto isFinite = [](glm::dvec3 v) {
        return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
    };
    const glm::dmat3& axes = view.camera.rotation;
    if (!isFinite(axes[0] + axes[1] + axes[2] + view.camera.origin) ||
        !(view.camera.zoom > 0 && std::isfinite(view.camera.zoom)))
        refuse(
            fmt::format("view {}: camera with a value that is not finite, or no zoom", view.view),
            "");
    if (!view.mask) return;
    const Mask& mask = *view.mask;
    const auto side = static_cast<std::size_t>(std::max(mask.width, 0));
    if (mask.width < 2 || mask.height != mask.width || mask.inside.size() != side * side)
        refuse(fmt::format("view {}: mask of {}×{} pixels, expected a square one", view.view,
                           mask.width, mask.height),
               "Give the mask the size of the camera's square picture.");
}

class Carver {
  public:
    Carver(const HullOptions& options, int threads) : options_(options), threads_(threads) {}

    HullResult carve(std::span<const MaskedView> views) {
        if (options_.vertices < kFewestHullVertices)
            refuse(fmt::format("{} vertices, expected {} or more", options_.vertices,
                               kFewestHullVertices),
                   "");
        takeViews(views);
        result_.mesh = agreed();
        return std::move(result_);
    }

  private:
    using Chosen = std::vector<const Silhouette*>;

    void leaveOut(int view, std::string_view why) {
        result_.leftOut.push_back(view);
        result_.notes.push_back(fmt::format("view {}: {}", view, why));
    }

    void takeViews(std::span<const MaskedView> views) {
        std::vector<const MaskedView*> usable;
        for (const MaskedView& view : views) {
            check(view);
            const std::string why = unusable(view.mask);
            if (why.empty())
                usable.push_back(&view);
            else
                leaveOut(view.view, why);
        }
        views_.resize(usable.size());
        parallelFor(
            threads_, usable.size(), options_.cancel, [&](std::size_t i, std::size_t /*thread*/) {
                const MaskedView& view = *usable[i];
                views_[i] = {view.view, std::make_unique<Silhouette>(view.camera, *view.mask)};
            });
    }

    /// All views in use but one.
    Chosen chosen(std::size_t without = kNone) const {
        Chosen chosen;
        for (std::size_t i = 0; i < views_.size(); ++i)
            if (i != without) chosen.push_back(views_[i].silhouette.get());
        return chosen;
    }

    /// A hull, and for each view in use how well it fits, as shares of pixels.
    struct Carved {
        Mesh mesh;
        std::size_t tolerated = 0;
        std::vector<double> overlap;   // both over either
        std::vector<double> unfilled;  // mask without mesh, over mask

        double meanOverlap() const {
            return std::accumulate(overlap.begin(), overlap.end(), 0.0) / double(overlap.size());
        }
    };

    /// The hull of the views that do not contradict the others.
    Mesh agreed() {
        for (;;) {
            if (views_.size() < 2)
                refuse(fmt::format("{} usable masks, expected two or more", views_.size()),
                       "Give at least two photographs with their foreground known.");
            hollows_.reset();
            Carved carved = tolerating();
            std::size_t bad = contradicting(carved.overlap);
            if (bad == kNone) bad = findContradicting(carved.overlap);
            if (bad == kNone && !carved.mesh.faces.empty()) {
                if (options_.inner != nullptr) carveHollows(carved);
                result_.tolerated = carved.tolerated;
                return std::move(carved.mesh);
            }
            if (bad == kNone)
                refuse("no point lies within the silhouettes",
                       "Check that masks and cameras belong together.");
            leaveOut(views_[bad].view, "mask or camera contradicts the other views");
            views_.erase(views_.begin() + static_cast<std::ptrdiff_t>(bad));
        }
    }

    /// Carves the hollows of `inner` as well, unless they contradict the masks. Where they pierce
    /// the hull and bring the masks no nearer, as of thin parts, a skin stays.
    void carveHollows(Carved& hull) {
        hollows_.emplace(*options_.inner, chosen(), threads_, options_.cancel);
        const double least = hull.meanOverlap() - kLost;
        Carved hollow = carve(chosen(), hull.tolerated);
        const bool agrees = hollow.meanOverlap() >= least;
        const bool pierced = eulerCharacteristic(hollow.mesh) < eulerCharacteristic(hull.mesh);
        if (!agrees || (pierced && hollow.meanOverlap() < hull.meanOverlap() + kGained)) {
            hollows_->leaveSkin(kSkin);
            Carved skinned = carve(chosen(), hull.tolerated);
            if (skinned.meanOverlap() >= least) hollow = std::move(skinned);
        }
        if (hollow.meanOverlap() >= least)
            hull = std::move(hollow);
        else
            result_.notes.emplace_back(
                "hollows that the fitted mesh shows contradict the masks: none is made");
    }

    /// Of a closed mesh: 2 for each piece, less 2 for each handle.
    static int eulerCharacteristic(const Mesh& mesh) {
        return static_cast<int>(mesh.vertices.size()) - static_cast<int>(mesh.faces.size() / 2);
    }

    /// Points lie in all silhouettes. Where that does not fill a mask, another one takes away what
    /// it shows: then outside of one, of two, … of one in eight, as long as the masks fit better.
    Carved tolerating() const {
        Carved best = carve(chosen(), 0);
        // Fewer vertices round off more of the shape's edges.
        const double unfilled = kUnfilled * std::sqrt(10'000 / double(options_.vertices));
        for (std::size_t tolerated = 1; tolerated <= views_.size() / kViewsPerError; ++tolerated) {
            if (*std::max_element(best.unfilled.begin(), best.unfilled.end()) <= unfilled) break;
            Carved next = carve(chosen(), tolerated);
            if (next.meanOverlap() <= best.meanOverlap()) break;
            best = std::move(next);
        }
        return best;
    }

    Carved carve(Chosen views, std::size_t tolerated) const {
        const HullField field(std::move(views), tolerated);
        const hull::Field at = [&](glm::dvec3 place, float most) {
            const float value = field.at(place, most);
            return hollows_ && value <= most ? std::max(value, hollows_->at(place)) : value;
        };
        Mesh mesh = fine(at);
        hull::dropSmallPieces(mesh);
        return compared(
            hull::evenMesh(std::move(mesh), options_.vertices, at, threads_, options_.cancel),
            tolerated);
    }

    /// With several times the vertices, to choose from, and enough that thin parts are found; from
    /// a spacing that a coarse one suggests.
    Mesh fine(const hull::Field& field) const {
        const double wanted =
            std::clamp(kFinePerVertex * double(options_.vertices), kLeastFine, kMostFine);
        return hull::extractFineSurface(
            field, wanted,
            {hull::kReach, kFirstSpacing, HullField::kSteepest, threads_, options_.cancel});
    }

    Carved compared(Mesh mesh, std::size_t tolerated) const {
        Carved carved{std::move(mesh), tolerated, std::vector<double>(views_.size(), 0.0),
                      std::vector<double>(views_.size(), 1.0)};
        if (carved.mesh.faces.empty()) return carved;
        parallelFor(threads_, views_.size(), options_.cancel,
                    [&](std::size_t i, std::size_t /*thread*/) {
                        const Silhouette& view = *views_[i].silhouette;
                        const Mask& mask = view.mask();
                        const Mask drawn = maskOf(carved.mesh.vertices, carved.mesh.faces, Camera{},
                                                  view.camera(), mask.width, mask.height);
                        std::array<double, 4> pixels{};  // neither, drawn, mask, both
                        for (std::size_t at = 0; at < mask.inside.size(); ++at)
                            if (mask.knows(at)) ++pixels[drawn.inside[at] + 2U * mask.inside[at]];
                        carved.overlap[i] = pixels[3] / (pixels[1] + pixels[2] + pixels[3]);
                        carved.unfilled[i] = pixels[2] / (pixels[2] + pixels[3]);
                    });
        return carved;
    }

    /// The view that a mesh does not fit while it fits the others; kNone if there is none.
    static std::size_t contradicting(const std::vector<double>& overlap) {
        std::vector<double> ordered = overlap;
        std::sort(ordered.begin(), ordered.end());
        if (ordered[0] >= kContradicts || ordered[ordered.size() / 2] <= kAgrees) return kNone;
        const auto worst = std::find(overlap.begin(), overlap.end(), ordered[0]);
        return static_cast<std::size_t>(worst - overlap.begin());
    }

    /// The same by trial, where one view spoils the hull: the one that the others' contradicts.
    std::size_t findContradicting(const std::vector<double>& overlap) const {
        if (*std::min_element(overlap.begin(), overlap.end()) >= kContradicts) return kNone;
        for (std::size_t i = 0; i < overlap.size() && overlap.size() >= kLeastToJudge; ++i)
            if (contradicting(carve(chosen(i), 0).overlap) == i) return i;
        return kNone;
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    static constexpr std::size_t kViewsPerError = 8;
    static constexpr std::size_t kLeastToJudge = 4;
    static constexpr double kUnfilled = 0.04;  ///< with 10 000 vertices
    /// Overlap: right hollows cost 0.01 at most, and mostly gain some; those of a lump in a torus's
    /// place 0.013.
    static constexpr double kLost = 0.011;
    static constexpr double kGained = 0.003;  ///< overlap: by less, the masks do not show it
    static constexpr float kSkin = 0.003F;    ///< object units
    static constexpr double kContradicts = 0.5;
    static constexpr double kAgrees = 0.9;
    static constexpr double kFirstSpacing = 0.015;
    static constexpr double kFinePerVertex = 4;
    static constexpr double kLeastFine = 50'000;
    static constexpr double kMostFine = 200'000;

    const HullOptions& options_;
    int threads_;
    std::vector<UsableView> views_;
    std::optional<hull::Hollows> hollows_;
    HullResult result_;
};

}  // namespace

HullResult visualHull(std::span<const MaskedView> views, const HullOptions& options) {
    const Stopwatch watch;
    const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
    HullResult result = Carver(options, threads).carve(views);
    result.milliseconds = watch.milliseconds();
    return result;
}

}  // namespace threefold
