#include "tests/cuda/simulation/deviation.h"

#include <algorithm>
#include <cmath>

#include "cuda/backend/allowed_deviation.h"
#include "engine/measures/chamfer_and_f_scores.h"

namespace threefold::cuda::simulation {
namespace {

double relativeError(const std::map<std::string, std::vector<float>>& ours,
                     const std::map<std::string, std::vector<float>>& theirs) {
    double worst = 0;
    for (const auto& [name, values] : theirs) {
        const std::vector<float>& mine = ours.at(name);
        double difference = 0;
        double largest = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            difference = std::max(difference, std::abs(double{mine[i]} - double{values[i]}));
            largest = std::max(largest, std::abs(double{values[i]}));
        }
        worst = std::max(worst, difference / largest);
    }
    return worst;
}

}  // namespace

Spread spreadOf(const Points& ours, const Points& theirs) {
    return {distanceQuantile(ours, theirs, 0.5), distanceQuantile(ours, theirs, kTypicalQuantile),
            distanceQuantile(ours, theirs, 1)};
}

RunDeviation deviationOf(const Outcome& ours, const Outcome& theirs, const Points& truth) {
    return {relativeError(ours.maps, theirs.maps), relativeError(ours.levels, theirs.levels),
            spreadOf(ours.coarse, theirs.coarse), spreadOf(ours.refined, theirs.refined),
            chamferAndFScores(ours.refined, truth).atTau().fScore -
                chamferAndFScores(theirs.refined, truth).atTau().fScore};
}

}  // namespace threefold::cuda::simulation
