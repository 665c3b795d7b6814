#include "engine/metrics/clouds.h"

#include "engine/profile/stopwatch.h"

namespace threefold {

NearestBatch nearestBothWays(std::span<const CloudPair> pairs) {
    const Stopwatch watch;
    NearestBatch batch;
    for (const CloudPair& pair : pairs) {
        batch.pairs.push_back({nearestNeighbours(pair.first, pair.second),
                               nearestNeighbours(pair.second, pair.first)});
    }
    batch.milliseconds = watch.milliseconds();
    return batch;
}

}  // namespace threefold
