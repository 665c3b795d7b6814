#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

namespace threefold {

class PackedTree;

struct Nearest {
    /// For each query, to its nearest reference point; computed in double precision throughout, so
    /// that measures do not depend on the way the point was found.
    std::vector<double> squaredDistance;
    std::vector<std::uint32_t> index;  ///< of that point; any of them where several are as near
};

/// Points made ready for many queries. Keeps a view of them: they must outlive it. Queries may come
/// from several threads at once.
class NearestIndex {
  public:
    /// Throws InputError where a coordinate is not finite.
    explicit NearestIndex(std::span<const glm::vec3> reference);
    ~NearestIndex();
    NearestIndex(NearestIndex&&) noexcept;
    NearestIndex& operator=(NearestIndex&&) noexcept;

    /// Exact. Throws InputError when the reference is empty and `queries` is not, or a coordinate
    /// is not finite.
    Nearest find(std::span<const glm::vec3> queries) const;

  private:
    std::unique_ptr<PackedTree> tree_;
};

/// One search, as above.
Nearest nearestNeighbours(std::span<const glm::vec3> queries, std::span<const glm::vec3> reference);

}  // namespace threefold
