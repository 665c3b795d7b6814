#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "cuda/kernels/hypothesis_block.h"
#include "cuda/kernels/hypothesis_block_layout.h"
#include "engine/error.h"
#include "engine/model/expected_weights.h"
#include "engine/network/weight_matrices.h"

namespace threefold::cuda {
namespace {

using namespace hypothesis;  // NOLINT(google-build-using-namespace): the layout, used throughout

/// W0 or W1 of a convolution, row-major (inputs, kWidth), inputs in the kernel's order.
using Matrix = std::vector<float>;

/// Neighbours of each hypothesis, excluding itself.
std::vector<std::vector<std::size_t>> makeNeighbours(const SparseMatrix& laplacian) {
    std::vector<std::vector<std::size_t>> neighbours(laplacian.rows());
    for (std::size_t row = 0; row < laplacian.rows(); ++row) {
        for (std::size_t k = laplacian.rowOffsets[row]; k < laplacian.rowOffsets[row + 1]; ++k)
            if (laplacian.columns[k] != row) neighbours[row].push_back(laplacian.columns[k]);
    }
    return neighbours;
}

/// Breadth-first order from `start`, without hubs (adjacent to at least half of all hypotheses).
std::vector<std::size_t> breadthFirstOrder(const std::vector<std::vector<std::size_t>>& neighbours,
                                           const std::vector<bool>& hub, std::size_t start) {
    std::vector<bool> visited = hub;
    std::vector<std::size_t> sequence;
    const auto visit = [&](std::size_t first) {
        visited[first] = true;
        sequence.push_back(first);
        for (std::size_t head = sequence.size() - 1; head < sequence.size(); ++head) {
            for (const std::size_t next : neighbours[sequence[head]]) {
                if (visited[next]) continue;
                visited[next] = true;
                sequence.push_back(next);
            }
        }
    };
    visit(start);
    for (std::size_t other = 0; other < neighbours.size(); ++other)
        if (!visited[other]) visit(other);
    return sequence;
}

using Order = std::array<std::int32_t, kVertexRows>;

std::uint32_t usedTiles(const SparseMatrix& laplacian, const Order& order) {
    std::vector<std::size_t> hypothesisRow(laplacian.rows());
    for (std::size_t row = 0; row < kVertexRows; ++row)
        if (order[row] >= 0) hypothesisRow[static_cast<std::size_t>(order[row])] = row;
    std::uint32_t tiles = 0;
    for (std::size_t from = 0; from < laplacian.rows(); ++from)
        for (std::size_t k = laplacian.rowOffsets[from]; k < laplacian.rowOffsets[from + 1]; ++k)
            tiles |= 1U << (hypothesisRow[from] / kTile * kVertexTiles +
                            hypothesisRow[laplacian.columns[k]] / kTile);
    return tiles;
}

/// Row order of the hypotheses: opposite ends of the graph take the outer tiles, the rest and the
/// hubs the middle tile. If no edge joins the ends, two tiles of the Laplacian are empty. Tries
/// every start and keeps the first order with the fewest non-empty tiles.
Order rowOrder(const SparseMatrix& laplacian) {
    const auto neighbours = makeNeighbours(laplacian);
    const std::size_t count = neighbours.size();
    std::vector<bool> hub(count);
    for (std::size_t i = 0; i < count; ++i) hub[i] = 2 * neighbours[i].size() >= count;
    Order best{};
    int minTiles = kVertexTiles * kVertexTiles + 1;
    for (std::size_t start = 0; start < count; ++start) {
        Order order{};
        order.fill(-1);
        if (hub[start] && std::count(hub.begin(), hub.end(), false) > 0) continue;
        std::vector<std::size_t> sequence =
            hub[start] ? std::vector<std::size_t>{} : breadthFirstOrder(neighbours, hub, start);
        const std::size_t startCount = std::min<std::size_t>(kTile, sequence.size());
        const std::size_t endCount = std::min<std::size_t>(kTile, sequence.size() - startCount);
        const std::size_t middleCount = sequence.size() - startCount - endCount;
        const auto assign = [&](std::size_t row, std::size_t hypothesis) {
            order[row] = static_cast<std::int32_t>(hypothesis);
        };
        for (std::size_t i = 0; i < startCount; ++i) assign(i, sequence[i]);
        for (std::size_t i = 0; i < middleCount; ++i) assign(kTile + i, sequence[startCount + i]);
        for (std::size_t i = 0; i < endCount; ++i)
            assign(std::size_t{2} * kTile + i, sequence[startCount + middleCount + i]);
        // Hubs take the free rows, those of the middle tile first.
        std::vector<std::size_t> free;
        for (std::size_t i = 0; i < kVertexRows; ++i) {
            const std::size_t row = (i + kTile) % kVertexRows;
            if (order[row] < 0) free.push_back(row);
        }
        std::size_t nextFree = 0;
        for (std::size_t i = 0; i < count; ++i)
            if (hub[i]) assign(free[nextFree++], i);
        const int tiles = __builtin_popcount(usedTiles(laplacian, order));
        if (tiles < minTiles) {
            minTiles = tiles;
            best = order;
        }
    }
    return best;
}

void fillRows(PackedHeader& header, const TemplateMesh& mesh) {
    const Order order = rowOrder(mesh.hypothesisLaplacian);
    header.hypotheses = static_cast<std::int32_t>(mesh.hypothesisOffsets.size());
    header.tiles = usedTiles(mesh.hypothesisLaplacian, order);
    std::vector<std::size_t> hypothesisRow(mesh.hypothesisOffsets.size());
    for (std::size_t row = 0; row < kVertexRows; ++row) {
        header.order[row] = order[row];
        if (order[row] < 0) continue;
        const auto hypothesis = static_cast<std::size_t>(order[row]);
        hypothesisRow[hypothesis] = row;
        header.usedRows[row / 32] |= 1U << row % 32;
        for (int axis = 0; axis < 3; ++axis)
            header.offset[row][axis] = mesh.hypothesisOffsets[hypothesis][axis];
    }
    const SparseMatrix& l = mesh.hypothesisLaplacian;
    for (std::size_t row = 0; row < l.rows(); ++row)
        for (std::size_t k = l.rowOffsets[row]; k < l.rowOffsets[row + 1]; ++k)
            header.laplacian[hypothesisRow[l.columns[k]]][hypothesisRow[row]] += l.values[k];
}

/// Bits of a value converted to an operand.
template <class Operand>
std::uint32_t operandBits(float x) {
    if constexpr (std::is_same_v<Operand, float>) {
        return detail::bitsOf(x);
    } else if constexpr (std::is_same_v<Operand, Int8>) {
        return static_cast<std::uint32_t>(toInt8(x)) & 0xffU;
    } else {
        return toOperand<Operand>(x).bits;
    }
}

template <class Operand>
inline constexpr int kInRegister = static_cast<int>(4 / sizeof(Operand));

/// Packs at(k), at(k + 1), … into one register.
template <class Operand, class At>
std::uint32_t packRegister(int k, const At& at) {
    std::uint32_t bits = 0;
    for (int v = 0; v < kInRegister<Operand>; ++v)
        bits |= operandBits<Operand>(at(k + v)) << (32 / kInRegister<Operand> * v);
    return bits;
}

void store(std::byte*& target, std::uint32_t bits) {
    std::memcpy(target, &bits, sizeof bits);
    target += sizeof bits;
}

/// Packs the Laplacian as A fragments, tile by tile; in float32 copies the header's matrix.
template <class LaplacianOperand>
void packLaplacian(const PackedHeader& header, std::byte* target) {
    if constexpr (std::is_same_v<LaplacianOperand, float>) {
        std::memcpy(target, header.laplacian, sizeof header.laplacian);
    } else {
        constexpr int n = kInRegister<LaplacianOperand>;
        for (int m = 0; m < kVertexTiles; ++m) {
            for (int first = 0; first < kVertexRows; first += 8 * n) {
                for (int lane = 0; lane < 32; ++lane) {
                    for (int i = 0; i < 4; ++i) {
                        const int row = m * kTile + lane / 4 + 8 * (i % 2);
                        const int k = first + n * (lane % 4) + 4 * n * (i / 2);
                        store(target, packRegister<LaplacianOperand>(
                                          k, [&](int c) { return header.laplacian[c][row]; }));
                    }
                }
            }
        }
    }
}

/// Writes W0 or W1 in the order in which the kernel reads it; advances `target`.
template <class Operand>
void packWeights(const Matrix& weights, std::byte*& target) {
    const int inner = static_cast<int>(weights.size()) / kWidth;
    const auto at = [&](int k, int column) {
        return weights[static_cast<std::size_t>(k) * kHiddenWidth +
                       static_cast<std::size_t>(column)];
    };
    constexpr int n = kInRegister<Operand>;
    for (int first = 0; first < inner; first += 8 * n) {
        for (int warp = 0; warp < kColumnWarps; ++warp) {
            if constexpr (std::is_same_v<Operand, float>) {
                for (int k = first; k < first + 8; ++k) {
                    for (int j = 0; j < kWarpTiles / 2; ++j) {
                        for (int i = 0; i < 16; ++i) {
                            const int tile = 2 * j + i / 2 % 2;
                            const int column = warp * kWarpColumns + tile * 8 + i / 4 * 2 + i % 2;
                            store(target, operandBits<float>(at(k, column)));
                        }
                    }
                }
            } else {
                for (int j = 0; j < kWarpTiles / 2; ++j) {
                    for (int i = 0; i < 128; ++i) {
                        const int lane = i / 4;
                        const int column = warp * kWarpColumns + (2 * j + i / 2 % 2) * 8 + lane / 4;
                        const int k = first + n * (lane % 4) + 4 * n * (i % 2);
                        store(target,
                              packRegister<Operand>(k, [&](int row) { return at(row, column); }));
                    }
                }
            }
        }
    }
}

/// Weight rows of the first convolution in the kernel's column order: pooled features, then the
/// split coordinates (split_coordinates.h).
template <class Operand>
Matrix firstMatrix(const std::vector<float>& weights) {
    Matrix rows(std::size_t{kFeatureColumns} * kWidth, 0.0F);
    constexpr std::size_t kAxes = std::size_t{3} * kWidth;
    std::copy(weights.begin() + kAxes, weights.end(), rows.begin());
    float* coordinates = rows.data() + std::size_t{kPooled} * kWidth;
    for (std::size_t i = 0; i < kAxes; ++i) {
        float parts[kCoordinateParts];
        splitInto<Operand>(weights[i], parts);
        coordinates[i] = parts[0];
        for (int k = 0; k < kExtraProductsInTile; ++k)
            coordinates[static_cast<std::size_t>(1 + k) * kAxes + i] =
                parts[extraProduct(k).weight];
    }
    return rows;
}

/// Largest magnitude of each column.
std::vector<float> columnMagnitudes(const Matrix& weights) {
    std::vector<float> largest(kWidth, 0.0F);
    for (std::size_t i = 0; i < weights.size(); ++i)
        largest[i % kWidth] = std::max(largest[i % kWidth], std::abs(weights[i]));
    return largest;
}

/// Scales the columns of W1 and W0 (`supports`, in this order) to 8-bit units and stores each
/// column's scale and zero-point sum in the header. `step`: quantisation step of the inputs;
/// `layer`: index among convolutions 2 to 5, from 0.
void roundColumns(Matrix (&supports)[2], float step, PackedHeader& header, std::size_t layer) {
    const std::vector<float> largest[2] = {columnMagnitudes(supports[0]),
                                           columnMagnitudes(supports[1])};
    for (std::size_t support = 0; support < 2; ++support) {
        for (std::size_t column = 0; column < kWidth; ++column) {
            // The magnitude is at least a sixteenth of the other matrix's. The kernel converts the
            // sums of W1 to int32 in units of W0's scale; a far smaller scale would clamp these
            // sums.
            const float magnitude =
                std::max(largest[support][column], largest[1 - support][column] / 16.0F);
            const float unit = magnitude > 0.0F ? magnitude / 127.0F : 1.0F;
            header.outputScale[layer][support][column] = step * unit;
            std::int32_t sum = 0;
            for (std::size_t i = column; i < supports[support].size(); i += kWidth) {
                float& weight = supports[support][i];
                weight /= unit;
                sum += toInt8(weight);
            }
            header.zeroPointSum[layer][support][column] = 128 * sum;
        }
    }
}

void requireValidRanges(const QuantisationRanges& ranges) {
    bool any = false;
    for (const float range : ranges.input) {
        if (!std::isfinite(range) || range < 0.0F)
            throw InputError({"quantisation ranges", "hypothesis block",
                              fmt::format("{} where a finite magnitude is needed", range),
                              "Measure the ranges again, or use float16 (`precision=float16`)."});
        any = any || range > 0.0F;
    }
    if (!any)
        throw InputError(
            {"quantisation ranges", "hypothesis block", "nothing was measured: all are 0",
             "Measure them on quantisation samples, or use float16 (`precision=float16`)."});
}

template <class Types>
std::vector<std::byte> packAs(const Model& model, std::size_t block,
                              const QuantisationRanges& ranges) {
    using Layout = PackedLayout<Types>;
    const auto convolutionName = [block](int convolution) {
        return localConvolutionName(block, static_cast<std::size_t>(convolution));
    };
    const auto supportWeights = [&](int convolution, int support, std::size_t inner,
                                    std::size_t outer) {
        return weightValues(model,
                            fmt::format("{}.weights.{}", convolutionName(convolution), support),
                            inner * outer);
    };
    std::vector<std::byte> packed(Layout::bytes, std::byte{0});
    PackedHeader header{};
    fillRows(header, model.templateMesh);
    for (int convolution = 0; convolution < kHiddenConvolutions; ++convolution) {
        const std::vector<float> bias =
            weightValues(model, convolutionName(convolution) + ".bias", kWidth);
        std::copy(bias.begin(), bias.end(), header.bias[convolution]);
    }
    header.lastBias = weightValues(model, convolutionName(kHiddenConvolutions) + ".bias", 1)[0];
    for (int support = 0; support < 2; ++support) {
        const std::vector<float> last = supportWeights(kHiddenConvolutions, support, kWidth, 1);
        std::copy(last.begin(), last.end(), header.last[support]);
    }

    std::byte* target = packed.data() + Layout::weights;
    for (const int support : {1, 0}) {  // the kernel reads W1 first
        packWeights<typename Types::First>(firstMatrix<typename Types::First>(supportWeights(
                                               0, support, kStage2FeatureWidth, kWidth)),
                                           target);
    }
    for (int convolution = 1; convolution < kHiddenConvolutions; ++convolution) {
        Matrix supports[2] = {supportWeights(convolution, 1, kWidth, kWidth),
                              supportWeights(convolution, 0, kWidth, kWidth)};
        if constexpr (Types::eightBit) {
            const float range = ranges.input[convolution];
            const float step = range > 0.0F ? range / 255.0F : 1.0F;
            const auto layer = static_cast<std::size_t>(convolution - 1);
            header.inverseScale[layer] = 1.0F / step;
            roundColumns(supports, step, header, layer);
        }
        for (const Matrix& support : supports) packWeights<typename Types::Inner>(support, target);
    }
    packLaplacian<typename Types::LaplacianOperand>(header, packed.data() + Layout::laplacian);
    std::memcpy(packed.data(), &header, sizeof header);
    return packed;
}

}  // namespace

std::vector<std::byte> packHypothesisBlock(const Model& model, std::size_t block,
                                           Precision precision, const DeviceLimits& limits,
                                           const QuantisationRanges& ranges) {
    const std::size_t hypotheses = model.templateMesh.hypothesisOffsets.size();
    if (!hypothesisBlockFits(limits, precision, static_cast<int>(hypotheses)))
        throw DeviceError(
            {fmt::format("device of compute capability {}.{}", limits.computeCapability / 10,
                         limits.computeCapability % 10),
             "hypothesis block",
             fmt::format("does not support {} with {} hypotheses", precisionName(precision),
                         hypotheses),
             "Use NVIDIA's kernels (`kernels=library`)."});
    return withTypes(precision, [&](auto types) {
        if (decltype(types)::eightBit) requireValidRanges(ranges);
        return packAs<decltype(types)>(model, block, ranges);
    });
}

}  // namespace threefold::cuda
