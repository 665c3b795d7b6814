#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cuda/kernels/graph_block.h"
#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/split_coordinates.h"
#include "engine/model/architecture.h"
#include "engine/model/expected_weights.h"
#include "engine/network/weight_matrices.h"

namespace threefold::cuda {
namespace {

/// Input rows are padded to a multiple of this: whole chunks in every precision.
constexpr std::size_t kPitchMultiple = 64;

/// Byte offset of value (k, column) within its chunk; both indices are relative to the chunk.
template <class Operand>
std::size_t offsetInChunk(std::size_t k, std::size_t column) {
    constexpr std::size_t bytes = sizeof(Operand);
    if (std::is_same_v<Operand, float>) return (k * kTileColumns + column) * bytes;
    // A register holds 4 bytes of K. An mma instruction takes 2 registers from each of 4 lanes
    // along K; half a chunk takes two instructions.
    const std::size_t registerOfK = k * bytes / 4;
    const std::size_t half = registerOfK / 16;
    const std::size_t step = registerOfK / 8 % 2;
    const std::size_t registerIndex = registerOfK / 4 % 2;
    const std::size_t lane = column % 8 * 4 + registerOfK % 4;
    return ((column / 8 * 2 + half) * 32 + lane) * 16 + (step * 2 + registerIndex) * 4 +
           k * bytes % 4;
}

/// Packs `values` (inner, columns), row-major, into tiles of `tileBytes`; `inner` must fit a tile.
template <class Operand>
void packTiles(const std::vector<float>& values, std::size_t columns, std::size_t tileBytes,
               std::byte* to) {
    constexpr std::size_t perChunk = kChunkBytes / sizeof(Operand);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t k = i / columns;
        const std::size_t column = i % columns;
        const auto operand = toOperand<Operand>(values[i]);
        std::memcpy(to + column / kTileColumns * tileBytes + k / perChunk * kWeightChunkBytes +
                        offsetInChunk<Operand>(k % perChunk, column % kTileColumns),
                    &operand, sizeof operand);
    }
}

/// First layer's weights for the columns that launchPooling() writes: appends rows for the split
/// coordinates, made from the first three rows. float32 needs no split.
template <class Operand>
std::vector<float> firstRows(const GraphBlockWeights& weights) {
    std::vector<float> rows = weights.first;
    if (std::is_same_v<Operand, float>) return rows;
    const std::size_t axes = std::size_t{3} * 2 * kGraphWidth;
    const std::size_t firstExtra = rows.size();
    rows.resize(firstExtra + kExtraProducts * axes);
    for (std::size_t i = 0; i < axes; ++i) {
        float parts[kCoordinateParts];
        splitInto<Operand>(rows[i], parts);
        for (int k = 0; k < kExtraProducts; ++k)
            rows[firstExtra + static_cast<std::size_t>(k) * axes + i] =
                parts[extraProduct(k).weight];
    }
    return rows;
}

void packNeighbours(const SparseMatrix& laplacian, const GraphBlockLayout& layout,
                    std::vector<std::byte>& packed) {
    std::vector<Neighbour> table;
    std::vector<LaplacianRow> laplacianRows;
    std::vector<Neighbour> overflow;
    const std::vector<std::uint32_t> order = patchOrder(laplacian);
    std::vector<std::uint32_t> positionOf(order.size());
    for (std::size_t position = 0; position < order.size(); ++position)
        positionOf[order[position]] = static_cast<std::uint32_t>(position);
    for (std::size_t position = 0; position < order.size(); ++position) {
        const std::uint32_t vertex = order[position];
        const std::uint32_t begin = laplacian.rowOffsets[vertex];
        const std::uint32_t count = laplacian.rowOffsets[vertex + 1] - begin;
        laplacianRows.push_back({count, static_cast<std::uint32_t>(overflow.size())});
        for (std::uint32_t k = 0; k < std::max<std::uint32_t>(count, kEllWidth); ++k) {
            const Neighbour neighbour = k < count
                                            ? Neighbour{positionOf[laplacian.columns[begin + k]],
                                                        laplacian.values[begin + k]}
                                            : Neighbour{static_cast<std::uint32_t>(position), 0.0F};
            (k < kEllWidth ? table : overflow).push_back(neighbour);
        }
    }
    const auto copy = [&packed](std::size_t offset, const auto& values) {
        if (!values.empty())
            std::memcpy(packed.data() + offset, values.data(), values.size() * sizeof(values[0]));
    };
    packed.resize(layout.overflow + overflow.size() * sizeof(Neighbour));
    copy(layout.order, order);
    copy(layout.ell, table);
    copy(layout.laplacianRows, laplacianRows);
    copy(layout.overflow, overflow);
}

template <class Operand>
std::vector<std::byte> packAs(const GraphBlockWeights& weights, const GraphBlockLayout& layout) {
    std::vector<std::byte> packed(layout.overflow);
    const auto put = [&packed](std::size_t offset, const std::vector<float>& values) {
        std::memcpy(packed.data() + offset, values.data(), values.size() * sizeof(float));
    };
    packTiles<Operand>(firstRows<Operand>(weights), 2 * kGraphWidth, layout.firstTileBytes,
                       packed.data() + layout.first);
    for (std::size_t i = 0; i < weights.hidden.size(); ++i)
        packTiles<Operand>(
            weights.hidden[i], kGraphWidth, layout.layerTileBytes,
            packed.data() + layout.hidden + i * kColumnTiles * layout.layerTileBytes);
    for (std::size_t i = 0; i < weights.bias.size(); ++i)
        put(layout.bias + i * kGraphWidth * sizeof(float), weights.bias[i]);
    std::vector<float> last(weights.last.size());
    for (std::size_t i = 0; i < last.size(); ++i) {
        const std::size_t support = i / (3 * kGraphWidth);
        const std::size_t row = i / 3 % kGraphWidth;
        last[(support * 3 + i % 3) * kGraphWidth + row] = weights.last[i];
    }
    last.insert(last.end(), weights.lastBias.begin(), weights.lastBias.end());
    put(layout.last, last);
    packNeighbours(weights.laplacian, layout, packed);
    return packed;
}

}  // namespace

// Grows a patch by the vertex with the most neighbours in it, the first of equals. The next patch
// starts next to the earlier ones.
std::vector<std::uint32_t> patchOrder(const SparseMatrix& laplacian) {
    const std::size_t count = laplacian.rows();
    std::vector<std::uint32_t> order;
    std::vector<bool> visited(count);
    std::vector<std::uint32_t> frontier;  // neighbours of visited vertices; some are visited by now
    std::size_t firstOpen = 0;
    std::uint32_t firstUnvisited = 0;
    const auto nextSeed = [&] {
        while (firstOpen < frontier.size() && visited[frontier[firstOpen]]) ++firstOpen;
        if (firstOpen < frontier.size()) return frontier[firstOpen];
        while (visited[firstUnvisited]) ++firstUnvisited;
        return firstUnvisited;
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
            visited[vertex] = true;
            order.push_back(vertex);
            for (std::uint32_t k = laplacian.rowOffsets[vertex];
                 k < laplacian.rowOffsets[vertex + 1]; ++k) {
                const std::uint32_t other = laplacian.columns[k];
                if (visited[other]) continue;
                if (neighboursInPatch[other]++ == 0) {
                    candidates.push_back(other);
                    frontier.push_back(other);
                }
            }
        }
    }
    return order;
}

int graphInputPitch(std::size_t level) {
    return static_cast<int>(paddedWidth(graphInputWidth(level) + kExtraColumns, kPitchMultiple));
}

GraphBlockWeights graphBlockWeights(const Model& model, std::size_t level) {
    static_assert(kHiddenWidth == kGraphWidth);
    const std::size_t last = kGraphBlockLayerCounts[level] - 1;
    const std::size_t inputWidth = graphInputWidth(level);
    const auto name = [level](std::size_t layer) { return graphLayerName(level, layer); };
    GraphBlockWeights weights;
    weights.first = supportsSideBySide(model, name(0), inputWidth, kHiddenWidth, inputWidth);
    for (std::size_t layer = 0; layer < last; ++layer) {
        if (layer > 0)
            weights.hidden.push_back(
                stackedSupports(model, name(layer), kHiddenWidth, kHiddenWidth));
        weights.bias.push_back(weightValues(model, name(layer) + ".bias", kHiddenWidth));
    }
    weights.last = stackedSupports(model, name(last), kHiddenWidth, 3);
    weights.lastBias = weightValues(model, name(last) + ".bias", 3);
    weights.laplacian = model.templateMesh.levels[level].laplacian;
    return weights;
}

std::vector<std::byte> packGraphBlock(const GraphBlockWeights& weights, int inputPitch,
                                      Precision precision) {
    const GraphBlockLayout layout = graphBlockLayout(storageOf(precision), inputPitch,
                                                     static_cast<int>(weights.hidden.size() + 2),
                                                     static_cast<int>(weights.laplacian.rows()));
    switch (precision) {
        case Precision::float32:
            return packAs<float>(weights, layout);
        case Precision::tfloat32:
            return packAs<Tfloat32>(weights, layout);
        case Precision::bfloat16:
            return packAs<Bfloat16>(weights, layout);
        default:
            return packAs<Half>(weights, layout);
    }
}

std::vector<std::byte> packGraphBlock(const Model& model, std::size_t level, Precision precision) {
    return packGraphBlock(graphBlockWeights(model, level), graphInputPitch(level), precision);
}

}  // namespace threefold::cuda
