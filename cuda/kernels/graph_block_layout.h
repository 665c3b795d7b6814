#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/kernels/element.h"
#include "cuda/portable/function_qualifiers.h"
#include "cuda/runtime/memory_layout.h"
#include "engine/model/architecture.h"
#include "engine/model/model.h"

/// Layout of a graph block's packed weights, shared by packGraphBlock() and the kernel.
namespace threefold::cuda {

/// One non-zero of the Laplacian.
struct Neighbour {
    std::uint32_t index;  ///< of the vertex in the kernel's order
    float value;
};

/// Row of the Laplacian in ELLPACK with overflow: the first kEllWidth non-zeros are in a table of
/// that width (shorter rows are padded with the vertex itself and value 0), the others in a list.
struct LaplacianRow {
    std::uint32_t count;     ///< non-zeros of the row
    std::uint32_t overflow;  ///< index of the row's first entry in the list
};

inline constexpr int kGraphWidth = static_cast<int>(kHiddenWidth);
/// Output columns of a tile. [W0; W1] of a hidden layer has 3 tiles, [W0 | W1] of the first
/// layer 6.
inline constexpr int kTileColumns = 64;
inline constexpr int kColumnTiles = kGraphWidth / kTileColumns;
inline constexpr int kFirstColumnTiles = 2 * kColumnTiles;
/// The published template has at most 8 non-zeros in a row.
inline constexpr int kEllWidth = 8;

/// Weights are copied in chunks of kChunkBytes of K (64 16-bit values or 32 floats) × 64 columns,
/// 8 KiB. A chunk for tensor cores is [column / 8][first or second half of K][lane][16 bytes]: the
/// B fragments of two mma instructions. A chunk of float32 is [k][column].
inline constexpr int kChunkBytes = 128;
inline constexpr int kWeightChunkBytes = kChunkBytes * kTileColumns;

/// Byte offset of the low parts in a row [x | L x] in shared memory. A value takes four bytes:
/// float32, or two 16-bit parts, all high parts before all low parts.
inline constexpr int kLowPartOffset = 2 * kGraphWidth * 2;

/// Byte offsets into the packed weights, and sizes of their tiles. All are multiples of 256.
struct GraphBlockLayout {
    std::size_t first;   ///< [column tile][chunk]: the first layer's [W0 | W1]
    std::size_t hidden;  ///< [layer − 1][column tile][chunk]: [W0; W1]
    std::size_t bias;    ///< [layer][kGraphWidth] float32, of all but the last layer
    std::size_t last;    ///< the last layer: [W0, W1][axis][kGraphWidth] float32, then [axis] bias
    std::size_t order;   ///< [position] uint32: vertex (patchOrder())
    std::size_t ell;     ///< [position][kEllWidth] Neighbour
    std::size_t laplacianRows;   ///< [position] LaplacianRow
    std::size_t overflow;        ///< [entry] Neighbour: non-zeros beyond kEllWidth, row after row
    std::size_t firstTileBytes;  ///< size of one column tile of the first layer
    std::size_t layerTileBytes;  ///< size of one column tile of a hidden layer
};

inline GraphBlockLayout graphBlockLayout(ElementType element, int inputPitch, int layers,
                                         int vertices) {
    const std::size_t bytes = elementBytes(element);
    const auto count = [](int n) { return static_cast<std::size_t>(n); };
    GraphBlockLayout layout{};
    layout.firstTileBytes = count(inputPitch) * kTileColumns * bytes;
    layout.layerTileBytes = std::size_t{2} * kGraphWidth * kTileColumns * bytes;
    layout.first = 0;
    layout.hidden = layout.first + kFirstColumnTiles * layout.firstTileBytes;
    layout.bias = layout.hidden + count(layers - 2) * kColumnTiles * layout.layerTileBytes;
    layout.last = layout.bias + alignUp(count(layers - 1) * kGraphWidth * sizeof(float));
    layout.order = layout.last + alignUp((std::size_t{6} * kGraphWidth + 3) * sizeof(float));
    layout.ell = layout.order + alignUp(count(vertices) * sizeof(std::uint32_t));
    layout.laplacianRows = layout.ell + alignUp(count(vertices) * kEllWidth * sizeof(Neighbour));
    layout.overflow = layout.laplacianRows + alignUp(count(vertices) * sizeof(LaplacianRow));
    return layout;
}

/// Rows of a patch: the largest tile of a hidden layer.
inline constexpr std::size_t kPatchRows = 64;

/// Permutation of a level's vertices (position → vertex) in which each run of kPatchRows forms a
/// compact patch where possible. A tile then reads few distinct rows of the previous layer, which
/// fit the L1 cache: on the published template's last level 98 for 64 rows, against 248 in the
/// template's own order.
std::vector<std::uint32_t> patchOrder(const SparseMatrix& laplacian);

/// Input of packGraphBlock(), of any input width and number of layers. Matrices are row-major.
struct GraphBlockWeights {
    /// (inputWidth, 2 · kGraphWidth): [W0 | W1]. The first three rows belong to the
    /// coordinates.
    std::vector<float> first;
    std::vector<std::vector<float>> hidden;  ///< (2 · kGraphWidth, kGraphWidth) each: [W0; W1]
    /// (kGraphWidth) each, of the first and the hidden layers.
    std::vector<std::vector<float>> bias;
    std::vector<float> last;      ///< (2, kGraphWidth, 3): W0 and W1 of the last layer
    std::vector<float> lastBias;  ///< (3)
    SparseMatrix laplacian;
};

/// Reads the weights of a level's graph block from the model. Throws ModelError if one is missing
/// or has another size.
GraphBlockWeights graphBlockWeights(const Model& model, std::size_t level);

/// Packs the weights for the kernel. `inputPitch` is a multiple of 64, at least the input width
/// plus kExtraColumns.
std::vector<std::byte> packGraphBlock(const GraphBlockWeights& weights, int inputPitch,
                                      Precision precision);

}  // namespace threefold::cuda
