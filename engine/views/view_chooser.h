#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/views/camera.h"
#include "engine/views/mask.h"

namespace threefold {

/// Angle between two cameras seen from the object's centre, degrees 0…180, whatever their
/// distances.
double angleBetween(const CameraRow& one, const CameraRow& other);

/// Cameras at a smaller angle show nearly the same side: choices of three views with such a pair
/// had an F(τ) 6 points below the F(τ) of other choices (docs/MEASUREMENTS.md).
inline constexpr double kMinViewAngleDegrees = 15;

/// Another chosen view, from nearly the same side.
struct SimilarView {
    std::size_t index = 0;  ///< index in the chosen views
    double angle = 0;       ///< degrees
};

/// Nearest other camera to chosen[index], if the angle is below kMinViewAngleDegrees.
std::optional<SimilarView> findTooSimilarView(std::span<const CameraRow> chosen, std::size_t index);

/// A view that may be chosen.
struct ViewCandidate {
    int view = 0;  ///< number of the view in the sample
    CameraRow camera;
    std::optional<Mask> mask;  ///< of any size; nullopt: unknown
};

/// Ranks choices of three views for the network, by camera directions and silhouettes. Needs no
/// truth, computes no mesh.
///
/// Score of a choice = min(angle, kSufficientAngleDegrees) / kSufficientAngleDegrees
///     + ½ · mean |sin Δazimuth| − ½ · mean area, with
/// - angle: the smallest angle between two of the three directions;
/// - |sin Δazimuth|: of each pair of views; outlines from opposite sides mirror each other;
/// - area: of each silhouette, scaled to distance 1, relative to the largest area of a candidate: a
///   small silhouette belongs to a view along the object, which shows surfaces that the many views
///   of the broad side lack.
///
/// docs/MEASUREMENTS.md has the measurements of this score.
class ViewChooser {
  public:
    /// Considers at most kMaxCandidates candidates, spread evenly over the given ones.
    explicit ViewChooser(std::span<const ViewCandidate> candidates);

    /// The best three views, ascending. Of equally good choices, the one with the lowest numbers;
    /// all views if there are fewer than three.
    std::vector<int> best() const;
    /// At most `maxChoices` choices of three worth trying, the best first; then in turn each view's
    /// best remaining choice, so that each view is in at least one choice, as far as `maxChoices`
    /// allows.
    std::vector<std::vector<int>> rankedChoices(std::size_t maxChoices) const;

    static constexpr double kSufficientAngleDegrees = 60;
    static constexpr std::size_t kMaxCandidates = 64;

  private:
    struct ViewPair {
        double angle = 0;          ///< degrees
        double absSinAzimuth = 0;  ///< |sin| of the difference of the two azimuths
    };
    struct ViewTriple {
        std::size_t a = 0, b = 0, c = 0;
        double score = 0;
    };
    const ViewPair& pair(std::size_t a, std::size_t b) const {
        return pairs_[a * views_.size() + b];
    }
    double scoreOf(std::size_t a, std::size_t b, std::size_t c) const;
    std::vector<int> viewsOf(const ViewTriple& choice) const;
    std::vector<ViewTriple> ranked() const;

    std::vector<int> views_;       ///< ascending
    std::vector<double> areas_;    ///< 0…1; 1 where unknown
    std::vector<ViewPair> pairs_;  ///< each view with each view, by index in views_
};

}  // namespace threefold
