#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/views/camera.h"
#include "engine/views/foreground.h"

namespace threefold {

/// Angle between two cameras seen from the object's centre, degrees 0…180, at any distance.
double angleBetween(const CameraRow& one, const CameraRow& other);

/// Cameras closer than this see nearly the same side: choices of three views with such a pair had
/// an F(τ) 6 points below that of the others (docs/MEASUREMENTS.md).
inline constexpr double kTooSimilar = 15;  // degrees

struct SimilarView {
    std::size_t place = 0;  ///< in the chosen views
    double angle = 0;       ///< degrees
};

/// The nearest other camera of `chosen` to the one at `place`, if it is nearer than kTooSimilar.
std::optional<SimilarView> tooSimilar(std::span<const CameraRow> chosen, std::size_t place);

/// A view that may be chosen.
struct ViewCandidate {
    int view = 0;  ///< its number in the sample
    CameraRow camera;
    std::optional<Mask> mask;  ///< of any size; none: unknown
};

/// Which views tell the network most, by their directions and silhouettes. Needs no truth, computes
/// no mesh.
///
/// A choice's score is the smallest angle between two of its directions, in units of kEnoughAngle
/// and at most 1; plus half the mean |sin| of the azimuths between them, as outlines from opposite
/// sides mirror each other; minus half the mean area of the silhouettes, each as seen from distance
/// 1 and in units of the largest candidate's: views along the object show what the many views of
/// its broad side do not. Measured, see docs/MEASUREMENTS.md.
class ViewChooser {
  public:
    /// Of more than kMostCandidates, as many spread evenly are looked at.
    explicit ViewChooser(std::span<const ViewCandidate> candidates);

    /// The best three, ascending, the lowest numbers of equal ones; all where there are no more.
    std::vector<int> best() const;
    /// At most `most` choices of three worth trying, the best one first. Each view is in at least
    /// one of them, as far as `most` allows: for each view its best partners, then second-best.
    std::vector<std::vector<int>> worthTrying(std::size_t most) const;

    static constexpr double kEnoughAngle = 60;  // degrees
    static constexpr std::size_t kMostCandidates = 64;

  private:
    struct Pair {
        double angle = 0;     ///< degrees
        double sideways = 0;  ///< |sin| of the azimuth between them
    };
    struct Choice {
        std::size_t a = 0, b = 0, c = 0;
        double score = 0;
    };
    const Pair& pair(std::size_t a, std::size_t b) const { return pairs_[a * views_.size() + b]; }
    double scoreOf(std::size_t a, std::size_t b, std::size_t c) const;
    std::vector<int> viewsOf(const Choice& choice) const;
    std::vector<Choice> ranked() const;

    std::vector<int> views_;     // ascending
    std::vector<double> areas_;  // 0…1; 1 where unknown
    std::vector<Pair> pairs_;    // of all with all, by place in views_
};

}  // namespace threefold
