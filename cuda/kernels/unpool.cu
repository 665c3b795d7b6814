#include "cuda/kernels/unpool.h"

#include "cuda/kernels/graph_block_layout.h"
#include "cuda/kernels/vector_access.h"

namespace threefold::cuda {
namespace {

constexpr int kThreads = 256;

/// Two source rows whose mean is a row of the finer level: a vertex twice, or the ends of an edge.
struct Ends {
    std::size_t first;
    std::size_t second;
    bool midpoint;
};

__device__ __forceinline__ Ends edgeEnds(const UnpoolArguments& a, int row) {
    const int fine = a.vertices + a.edgeCount;
    const std::size_t mesh = static_cast<std::size_t>(row / fine) * a.vertices;
    const int vertex = row % fine;
    if (vertex < a.vertices) return {mesh + vertex, mesh + vertex, false};
    const unsigned* edge = a.edges + 2 * static_cast<std::size_t>(vertex - a.vertices);
    return {mesh + edge[0], mesh + edge[1], true};
}

/// A thread computes one vector of a row's hidden features, or the row's coordinates.
template <class T>
__global__ void __launch_bounds__(kThreads)
    unpoolKernel(const UnpoolArguments a, int rows, int piecesPerRow) {
    const int index = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    const int row = index / piecesPerRow;
    const int piece = index % piecesPerRow - 1;
    if (row >= rows) return;
    const Ends ends = edgeEnds(a, row);
    if (piece < 0) {
        for (int axis = 0; axis < 3; ++axis) {
            const float first = a.points[3 * ends.first + axis];
            const float second = a.points[3 * ends.second + axis];
            a.pointsOut[3 * static_cast<std::size_t>(row) + axis] =
                ends.midpoint ? (first + second) * 0.5F : first;
        }
        return;
    }
    const auto vectorAt = [piece](const void* values, std::size_t sourceRow) {
        return reinterpret_cast<const uint4*>(static_cast<const T*>(values) +
                                              sourceRow * kGraphWidth)[piece];
    };
    uint4 bits = vectorAt(a.hidden, ends.first);
    if (ends.midpoint) {
        float first[kValuesPerVector<T>];
        float second[kValuesPerVector<T>];
        unpackVector<T>(bits, first);
        unpackVector<T>(vectorAt(a.hidden, ends.second), second);
        for (int i = 0; i < kValuesPerVector<T>; ++i) first[i] = (first[i] + second[i]) * 0.5F;
        bits = packVector<T>(first);
    }
    reinterpret_cast<uint4*>(static_cast<T*>(a.hiddenOut) +
                             static_cast<std::size_t>(row) * kGraphWidth)[piece] = bits;
}

}  // namespace

void launchUnpool(Stream stream, const UnpoolArguments& arguments) {
    const int rows = arguments.batch * (arguments.vertices + arguments.edgeCount);
    if (rows == 0) return;
    withElementType(arguments.element, [&](auto zero) {
        using T = decltype(zero);
        const int piecesPerRow =
            1 + (arguments.hiddenOut == nullptr ? 0 : kGraphWidth / kValuesPerVector<T>);
        const auto blocks = static_cast<unsigned>((rows * piecesPerRow + kThreads - 1) / kThreads);
        launch(unpoolKernel<T>, {dim3(blocks), dim3(kThreads)}, stream, arguments, rows,
               piecesPerRow);
    });
}

}  // namespace threefold::cuda
