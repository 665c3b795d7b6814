#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "engine/mesh.h"
#include "engine/metrics/matching.h"
#include "engine/metrics/measures.h"

namespace threefold {

/// Which points represent the two sides (METHOD.md §9). Results of two are never mixed.
enum class Protocol {
    published,  ///< the prediction's vertices against the points of the truth's file
    surface,    ///< kSurfaceSamples points of each surface, uniform by area
};
std::string_view protocolName(Protocol protocol);  ///< "published", "surface"
Protocol protocolFromName(std::string_view name);  ///< Throws UsageError.
/// One sentence on what a protocol compares (METHOD.md §9).
std::string_view protocolDescription(Protocol protocol);

/// One side of a comparison. Views of the caller's data.
struct Shape {
    std::span<const glm::vec3> vertices;  ///< or points, where there are no faces
    std::span<const glm::u32vec3> faces;
    std::span<const glm::vec3> normals;  ///< of the vertices; empty: of the faces around them
};

/// The least mean distance that mass must move to turn one cloud into the other.
struct EarthMovers {
    double distance = 0;    ///< object units, not squared: not below the true one
    double lowerBound = 0;  ///< not above the true one; equal to `distance` where exact
    bool exact = false;
};

/// All measures of one prediction against one truth under one protocol. Squared distances are in
/// object units², others in object units.
struct Scores {
    Protocol protocol = Protocol::published;
    std::size_t predictionPoints = 0;  ///< points that represent each side
    std::size_t truthPoints = 0;
    Measures measures;     ///< Chamfer (squared), and P, R, F at τ/2, τ, 3τ/2, 2τ
    double hausdorff = 0;  ///< the larger of the two one-sided distances; not squared
    double hausdorffToTruth = 0;
    double hausdorffFromTruth = 0;
    /// Mean |cos| between the normals of nearest neighbours, both ways averaged, 0…1; nothing where
    /// a side has neither normals nor faces.
    /// Points without a normal (of faces without area) are left out.
    std::optional<double> normalConsistency;
    std::optional<EarthMovers> earthMovers;  ///< only if requested
};

struct ScoreOptions {
    Protocol protocol = Protocol::published;
    double tau = kTau;  ///< threshold on squared distances, object units²
    /// Exact up to kMostExactPoints on each side, else an approximation with its bound. Uses all
    /// points that represent the sides, and score() throws InputError where they are more than
    /// kMostMatchedPairs. The only measure that takes longer than milliseconds.
    bool earthMovers = false;
    /// Checked only by the earth mover's distance: every few milliseconds, but if it is exact only
    /// before and after the computation, which takes a second or two.
    std::stop_token cancel = {};
    MatchingProgress progress = {};  ///< of the earth mover's distance, unless it is exact
};

/// A prediction and a truth before they are compared. Keeps views of the caller's vertices, which
/// must outlive it; moving a vector leaves its elements where they are.
struct ComparedClouds {
    struct Prediction;
    std::shared_ptr<const Prediction> prediction;
    CloudPair clouds;           ///< the points that represent prediction and truth
    bool approximates = false;  ///< whether score() needs approximateMatching() of the clouds
    /// What a device has found of the clouds. Where it is missing, score() computes it.
    std::optional<NearestPair> nearest = {};
    std::optional<Matching> matching = {};
};

/// A truth prepared once for any number of predictions: its points under one protocol, their
/// normals and their index. Keeps views of the caller's data, which must outlive it. Thread-safe.
class PreparedTruth {
  public:
    /// Throws InputError where the truth has no points, a coordinate is not finite, faces name
    /// missing vertices or have no area, or τ is not above zero.
    PreparedTruth(const Shape& truth, const ScoreOptions& options);

    /// As the function below, with the options given to the constructor.
    Scores score(const Shape& prediction) const { return score(compare(prediction)); }
    /// The two halves of that. Throw what it throws.
    ComparedClouds compare(const Shape& prediction) const;
    Scores score(const ComparedClouds& comparison) const;

  private:
    struct Parts;
    std::shared_ptr<const Parts> parts_;
};

/// Both shapes must be in the same space. Thread-safe. Throws InputError where a side has no
/// points, a coordinate is not finite, τ is not above zero, or the surface protocol's prediction
/// has no faces; a truth without faces is represented by its points under both protocols. Throws
/// Cancelled.
Scores score(const Shape& prediction, const Shape& truth, const ScoreOptions& options);

}  // namespace threefold
