#include "engine/silhouettes/silhouette_set.h"

#include <utility>

#include "engine/compute/parallel.h"

namespace threefold {

SilhouetteSet::SilhouetteSet(std::size_t count,
                             const std::function<SilhouetteField(std::size_t index)>& make,
                             int threads, const std::stop_token& cancel)
    : owned_(count) {
    parallelFor(threads, count, cancel, [&](std::size_t i, std::size_t /*thread*/) {
        owned_[i] = std::make_unique<const SilhouetteField>(make(i));
    });
    for (const auto& silhouette : owned_) all_.push_back(silhouette.get());
}

void SilhouetteSet::add(const Camera& camera, Mask mask) {
    owned_.push_back(std::make_unique<const SilhouetteField>(camera, std::move(mask)));
    all_.push_back(owned_.back().get());
}

}  // namespace threefold
