#include "cuda/kernels/preprocess.h"

#include <algorithm>
#include <cmath>

#include "cuda/kernels/sampling.h"
#include "cuda/kernels/vector_access.h"

namespace threefold::cuda {
namespace {

constexpr int kSide = kInputSide;
constexpr int kPixels = kSide * kSide;
constexpr int kThreads = 256;
constexpr unsigned kMaxGridRows = 65535;

/// Weights are 11-bit fixed point, as OpenCV's are.
constexpr float kOne = 2048.0F;

/// Two source positions and their weights for one output position along one axis.
struct Tap {
    int first;
    int second;
    int firstWeight;
    int secondWeight;
};

/// Border handling: OpenCV clamps weights for columns but not for rows. The sum is the same, its
/// rounding differs.
enum class Border { clampWeights, clampPositionsOnly };

template <Border kBorder>
__device__ __forceinline__ Tap makeTap(int source, int i) {
    const double scale = 1.0 / (static_cast<double>(kSide) / static_cast<double>(source));
    // As in OpenCV, the position is rounded to float before it is split into pixel and weight.
    const auto centre = static_cast<float>(__dadd_rn(__dmul_rn(i + 0.5, scale), -0.5));
    const int last = source - 1;
    const float whole = floorf(centre);
    int position = static_cast<int>(whole);
    float fraction = centre - whole;
    if (kBorder == Border::clampWeights && (position < 0 || position >= last)) {
        position = position < 0 ? 0 : last;
        fraction = 0.0F;
    }
    const int first = position < 0 ? 0 : (position < last ? position : last);
    const int second = position + 1 < 0 ? 0 : (position + 1 < last ? position + 1 : last);
    return {first, second, static_cast<int>(rintf((1.0F - fraction) * kOne)),
            static_cast<int>(rintf(fraction * kOne))};
}

/// Channel `c` of BGR; a transparent pixel is white.
THREEFOLD_HOST_DEVICE int bgrChannel(std::uint32_t rgba, int c) {
    const auto value = static_cast<int>(rgba >> (16 - 8 * c) & 0xffU);
    return rgba >> 24 == 0 ? 255 : value;
}

/// Horizontal interpolation of one source row, without the 4 low bits that the vertical pass drops
/// anyway.
THREEFOLD_HOST_DEVICE int interpolateRow(const Tap& tap, std::uint32_t first, std::uint32_t second,
                                         int c) {
    return (tap.firstWeight * bgrChannel(first, c) + tap.secondWeight * bgrChannel(second, c)) >> 4;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    preprocessKernel(const DeviceImage* images, int count, int channels, T* out) {
    const auto pixel = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
    if (pixel >= kPixels) return;
    for (auto index = static_cast<int>(blockIdx.y); index < count;
         index += static_cast<int>(gridDim.y)) {
        const DeviceImage image = images[index];
        const Tap column = makeTap<Border::clampWeights>(image.width, pixel % kSide);
        const Tap row = makeTap<Border::clampPositionsOnly>(image.height, pixel / kSide);
        const auto* rgba = reinterpret_cast<const std::uint32_t*>(image.rgba);
        const std::uint32_t* above = rgba + static_cast<std::size_t>(row.first) * image.width;
        const std::uint32_t* below = rgba + static_cast<std::size_t>(row.second) * image.width;
        const std::uint32_t corners[4] = {above[column.first], above[column.second],
                                          below[column.first], below[column.second]};
        float values[3];
        for (int c = 0; c < 3; ++c) {
            const int sum =
                ((row.firstWeight * interpolateRow(column, corners[0], corners[1], c)) >> 16) +
                ((row.secondWeight * interpolateRow(column, corners[2], corners[3], c)) >> 16);
            const int rounded = (sum + 2) >> 2;
            values[c] = static_cast<float>(min(max(rounded, 0), 255)) / 255.0F;
        }
        T* target = out + (static_cast<std::size_t>(index) * kPixels + pixel) * channels;
        if (channels % 2 == 0) {
            storePair(target, values[0], values[1]);
            storePair(target + 2, values[2], 0.0F);
            for (int c = 4; c < channels; c += 2) storePair(target + c, 0.0F, 0.0F);
        } else {
            for (int c = 0; c < 3; ++c) target[c] = fromFloat<T>(values[c]);
            for (int c = 3; c < channels; ++c) target[c] = fromFloat<T>(0.0F);
        }
    }
}

}  // namespace

void launchPreprocess(Stream stream, const DeviceImage* images, int count, ElementType element,
                      int channels, void* out) {
    if (count == 0) return;
    const unsigned rows = std::min(static_cast<unsigned>(count), kMaxGridRows);
    const LaunchShape shape{dim3((kPixels + kThreads - 1) / kThreads, rows), dim3(kThreads)};
    withElementType(element, [&](auto zero) {
        using T = decltype(zero);
        launch(preprocessKernel<T>, shape, stream, images, count, channels, static_cast<T*>(out));
    });
}

}  // namespace threefold::cuda
