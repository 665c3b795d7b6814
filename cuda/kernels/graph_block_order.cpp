#include "cuda/kernels/graph_block_order.h"

#include <algorithm>

namespace threefold::cuda {

// A patch grows by the vertex with the most neighbours in it, the first found of several; the next
// one begins beside those before.
std::vector<std::uint32_t> patchOrder(const SparseMatrix& laplacian) {
    const std::size_t count = laplacian.rows();
    std::vector<std::uint32_t> order;
    std::vector<bool> taken(count);
    std::vector<std::uint32_t> beside;  // neighbours of what is taken, perhaps taken since
    std::size_t firstBeside = 0;
    std::uint32_t firstLeft = 0;
    const auto nextSeed = [&] {
        while (firstBeside < beside.size() && taken[beside[firstBeside]]) ++firstBeside;
        if (firstBeside < beside.size()) return beside[firstBeside];
        while (taken[firstLeft]) ++firstLeft;
        return firstLeft;
    };
    while (order.size() < count) {
        std::vector<std::uint32_t> candidates = {nextSeed()};
        std::vector<unsigned> neighboursInPatch(count);
        for (std::size_t size = 0; size < kPatchRows && !candidates.empty(); ++size) {
            const auto best = std::max_element(
                candidates.begin(), candidates.end(), [&](std::uint32_t a, std::uint32_t b) {
                    return neighboursInPatch[a] < neighboursInPatch[b];
                });
            const std::uint32_t vertex = *best;
            candidates.erase(best);
            taken[vertex] = true;
            order.push_back(vertex);
            for (std::uint32_t k = laplacian.rowStart[vertex]; k < laplacian.rowStart[vertex + 1];
                 ++k) {
                const std::uint32_t other = laplacian.column[k];
                if (taken[other]) continue;
                if (neighboursInPatch[other]++ == 0) {
                    candidates.push_back(other);
                    beside.push_back(other);
                }
            }
        }
    }
    return order;
}

}  // namespace threefold::cuda
