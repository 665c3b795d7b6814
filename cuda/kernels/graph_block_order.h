#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/model/model.h"

namespace threefold::cuda {

/// Rows of a patch: those of the largest tile of a hidden layer.
inline constexpr std::size_t kPatchRows = 64;

/// A permutation of a level's vertices in which each kPatchRows in turn are neighbours of each
/// other, as far as that goes: the vertex at each place. A tile's rows then read few different rows
/// of the layer before, which fit into the first-level cache: on the published template's last
/// level 98 for 64 rows, where the template's own order has 248.
std::vector<std::uint32_t> patchOrder(const SparseMatrix& laplacian);

}  // namespace threefold::cuda
