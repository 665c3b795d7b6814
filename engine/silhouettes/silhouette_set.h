#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/silhouettes/silhouette_field.h"

namespace threefold {

/// Owns the silhouettes of several views. Their addresses stay the same when the set is moved or
/// grows.
class SilhouetteSet {
  public:
    SilhouetteSet() = default;
    /// Makes `count` silhouettes on several threads; `make` returns the one at an index. Throws
    /// Cancelled; exceptions of `make` propagate.
    SilhouetteSet(std::size_t count, const std::function<SilhouetteField(std::size_t index)>& make,
                  int threads, const std::stop_token& cancel);

    void add(const Camera& camera, Mask mask);

    /// The silhouettes in the order of their indices, then of add().
    const std::vector<const SilhouetteField*>& all() const { return all_; }

  private:
    std::vector<std::unique_ptr<const SilhouetteField>> owned_;
    std::vector<const SilhouetteField*> all_;
};

}  // namespace threefold
