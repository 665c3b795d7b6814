#pragma once

#include <array>
#include <cstddef>

/// Architecture of the published network: constants of METHOD.md §4 to §7 that are neither in the
/// template nor in weight files. Numbers of vertices, hypotheses and views are data. The template
/// has one level per graph block: three (requireValidTemplate()).
namespace threefold {

/// A convolution with bias, ReLU and TensorFlow's SAME padding (METHOD.md §4).
struct ConvolutionSpec {
    int inChannels;
    int outChannels;
    int kernelSize;  ///< width and height, 3 or 5
    int stride;      ///< 1 or 2

    constexpr bool operator==(const ConvolutionSpec&) const = default;
};

/// CNN18. Layer i (from 0) is named "cnn.conv{i+1}".
// clang-format off
inline constexpr std::array<ConvolutionSpec, 18> kCnnLayers = {{
    {3, 16, 3, 1},    {16, 16, 3, 1},   {16, 32, 3, 2},
    {32, 32, 3, 1},   {32, 32, 3, 1},   {32, 64, 3, 2},
    {64, 64, 3, 1},   {64, 64, 3, 1},   {64, 128, 3, 2},
    {128, 128, 3, 1}, {128, 128, 3, 1}, {128, 256, 5, 2},
    {256, 256, 3, 1}, {256, 256, 3, 1}, {256, 512, 5, 2},
    {512, 512, 3, 1}, {512, 512, 3, 1}, {512, 512, 3, 1},
}};
// clang-format on

/// Taps: number of layers before each feature map that is pooled. Channels@side of the maps:
/// 16@224, 32@112, 64@56, 128@28, 256@14, 512@7.
inline constexpr std::array<int, 6> kCnnTaps = {2, 5, 8, 11, 14, 18};

/// Stage 1 pools taps [kStage1FirstTap, 6): 64, 128, 256 and 512 channels.
inline constexpr std::size_t kStage1FirstTap = 2;

/// Stage 2 has only the first 8 layers and pools taps [0, 3): 16, 32 and 64 channels.
inline constexpr std::size_t kStage2LayerCount = 8;
inline constexpr std::size_t kStage2TapCount = 3;

/// Number of channels of a tap's map.
constexpr std::size_t tapChannels(std::size_t tap) {
    return static_cast<std::size_t>(
        kCnnLayers[static_cast<std::size_t>(kCnnTaps[tap]) - 1].outChannels);
}

/// Width of a vertex's pooled features from taps [first, end): position, then maximum, mean and
/// deviation across the views (METHOD.md §5).
constexpr std::size_t pooledWidth(std::size_t first, std::size_t end) {
    std::size_t channels = 0;
    for (std::size_t tap = first; tap < end; ++tap) channels += tapChannels(tap);
    return 3 + 3 * channels;
}

inline constexpr std::size_t kStage1FeatureWidth = pooledWidth(kStage1FirstTap, kCnnTaps.size());
inline constexpr std::size_t kStage2FeatureWidth = pooledWidth(0, kStage2TapCount);
static_assert(kStage1FeatureWidth == 2883 && kStage2FeatureWidth == 339);

/// Number of graph convolutions per block, one block per level of the template (METHOD.md §6).
/// Block k (from 0), layer i (from 0) is named "gcn{k+1}_layers.{i}".
inline constexpr std::array<std::size_t, 3> kGraphBlockLayerCounts = {14, 14, 15};

/// Width of all hidden layers of graph and hypothesis blocks.
inline constexpr std::size_t kHiddenWidth = 192;

/// Input width of graph block `level`: pooled features and, except for level 0, the unpooled hidden
/// features of the previous level.
constexpr std::size_t graphInputWidth(std::size_t level) {
    return kStage1FeatureWidth + (level > 0 ? kHiddenWidth : 0);
}

/// Whether a graph block averages this layer's output with the output of layer − 2.
constexpr bool hasResidual(std::size_t layer) {
    return layer % 2 == 0 && layer >= 2 && layer <= 12;
}

/// Number of supports of a graph convolution, the matrices that mix the rows: the identity, with
/// the weights W0, and the scaled Laplacian L, with W1 (METHOD.md §6).
inline constexpr std::size_t kSupportCount = 2;

/// Number of local convolutions "local_conv{1..6}" per hypothesis block "drb{1,2}" (METHOD.md §7).
/// The weights determine the number of blocks: Model::hypothesisBlocks().
inline constexpr std::size_t kLocalConvolutionCount = 6;

}  // namespace threefold
