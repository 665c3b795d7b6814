#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

#include "engine/measures/chamfer_and_f_scores.h"
#include "engine/measures/earth_movers.h"
#include "engine/mesh.h"

namespace threefold {

/// Choice of the points that are compared (METHOD.md §9). Never mix results of two protocols.
enum class Protocol {
    published,  ///< the prediction's vertices against the points of the truth's file
    surface,    ///< kSurfaceSampleCount points of each surface, uniform by area
};
std::string_view protocolName(Protocol protocol);  ///< "published", "surface"
Protocol protocolFromName(std::string_view name);  ///< Throws UsageError.
/// A phrase that describes a protocol (METHOD.md §9).
std::string_view protocolDescription(Protocol protocol);

/// One side of a comparison, as views of the caller's data.
struct ScoredShape {
    std::span<const glm::vec3> vertices;  ///< the points of a shape without faces
    std::span<const glm::u32vec3> faces;
    std::span<const glm::vec3> normals;  ///< per vertex; empty: computed from the faces
};

/// All measures of one prediction against one truth under one protocol. Squared distances are in
/// object units², other distances in object units.
struct Scores {
    Protocol protocol = Protocol::published;
    std::size_t predictionPoints = 0;  ///< number of points of each side
    std::size_t truthPoints = 0;
    ChamferAndFScores measures;  ///< Chamfer (squared), and P, R, F at τ/2, τ, 3τ/2, 2τ
    double hausdorff = 0;        ///< maximum of the two one-sided distances; not squared
    double hausdorffToTruth = 0;
    double hausdorffFromTruth = 0;
    /// Mean |cos| between normals of nearest neighbours, averaged over both directions, 0…1;
    /// nullopt if a side has neither normals nor faces. Skips points without a normal (faces
    /// without area).
    std::optional<double> normalConsistency;
    /// Only if requested. `lowerBound` is at most `distance`, and equal to it if exact.
    std::optional<EarthMoversDistance> earthMovers;
};

/// Options of score() and PreparedTruth.
struct ScoreOptions {
    Protocol protocol = Protocol::published;
    double tau = kTau;  ///< threshold on squared distances, object units²
    /// Computes the earth mover's distance: exact up to kMaxExactPoints per side, else approximate
    /// with a bound. Uses all points of both sides; score() throws InputError for more than
    /// kMaxTransportPairs pairs. No other measure takes longer than milliseconds.
    bool measuresEarthMovers = false;
    /// Polled only while the earth mover's distance is computed: every few milliseconds, or, for
    /// the exact distance, before and after a computation of up to three seconds.
    std::stop_token cancel = {};
    TransportProgress progress = {};  ///< for the earth mover's distance, unless exact
};

/// Clouds of a prediction and a truth, ready to be scored. Keeps views of the PreparedTruth and of
/// the vertices of both shapes, which must outlive the views; a vector that owns the vertices may
/// be moved.
struct PreparedPrediction {
    struct Parts;
    std::shared_ptr<const Parts> parts;
    CloudPair clouds;            ///< points of prediction and truth
    bool needsSinkhorn = false;  ///< whether score() needs sinkhornDistance() of the clouds
};

/// Results of a comparison that a device has computed. score() computes missing ones.
struct DeviceResults {
    std::optional<BidirectionalNeighbours> nearest = {};
    std::optional<EarthMoversDistance> earthMovers = {};  ///< if PreparedPrediction::needsSinkhorn
};

/// A truth prepared for any number of predictions: points under one protocol, normals and search
/// index. Keeps views of the caller's data, which must outlive this object. Thread-safe.
class PreparedTruth {
  public:
    /// Throws InputError if the truth has no points, a coordinate is not finite, faces name missing
    /// vertices or have no area, or τ is not above zero.
    PreparedTruth(const ScoredShape& truth, const ScoreOptions& options);

    /// Scores a prediction with the constructor's options; throws as the free function score()
    /// does.
    Scores score(const ScoredShape& prediction) const { return score(prepare(prediction)); }
    /// The two steps of score(prediction), which throw as it does.
    PreparedPrediction prepare(const ScoredShape& prediction) const;
    Scores score(const PreparedPrediction& prediction, const DeviceResults& device = {}) const;

  private:
    struct Parts;
    std::shared_ptr<const Parts> parts_;
};

/// Scores a prediction against a truth in the same space. A truth without faces is compared by its
/// points under both protocols. Thread-safe. Throws InputError if a side has no points, a
/// coordinate is not finite, τ is not above zero, or the surface protocol's prediction has no
/// faces; Cancelled.
Scores score(const ScoredShape& prediction, const ScoredShape& truth, const ScoreOptions& options);

}  // namespace threefold
