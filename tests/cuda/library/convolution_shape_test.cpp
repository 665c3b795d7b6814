#include "cuda/library/convolution_shape.h"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "engine/error.h"
#include "engine/model/architecture.h"

namespace threefold::cuda::library {
namespace {

TEST(SamePadding, equalsTensorFlowsPadding) {
    EXPECT_EQ(samePadding(224, 3, 1), (Padding{1, 1}));
    EXPECT_EQ(samePadding(224, 3, 2), (Padding{0, 1}));
    EXPECT_EQ(samePadding(28, 5, 2), (Padding{1, 2}));
    EXPECT_EQ(samePadding(7, 5, 1), (Padding{2, 2}));
    EXPECT_EQ(samePadding(7, 3, 2), (Padding{1, 1}));
}

TEST(FilterGeometry, keepsOutputSide_whenWidened) {
    int side = 224;
    for (const ConvolutionSpec& spec : kCnnLayers) {
        const ConvolutionShape shape{
            1, side, spec.inChannels, spec.outChannels, spec.kernelSize, spec.stride};
        for (const FilterLayout layout : {FilterLayout::original, FilterLayout::widened}) {
            const auto [kernel, padding] = filterGeometry(shape, layout);
            EXPECT_EQ((side + padding.before + padding.after - kernel) / spec.stride + 1,
                      shape.outputSide());
            EXPECT_TRUE(layout == FilterLayout::original || padding.before == padding.after);
        }
        side = shape.outputSide();
    }
    EXPECT_EQ(side, 7);
}

std::vector<float> randomValues(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> values(count);
    for (float& value : values) value = uniform(random);
    return values;
}

/// cuDNN's result for one image with a packed filter; channels are innermost.
std::vector<double> convolve(const std::vector<float>& image, const std::vector<float>& packed,
                             const ConvolutionShape& shape, FilterLayout layout) {
    const auto [kernel, padding] = filterGeometry(shape, layout);
    const int output = shape.outputSide();
    std::vector<double> out;
    for (int y = 0; y < output; ++y) {
        for (int x = 0; x < output; ++x) {
            for (int o = 0; o < shape.out; ++o) {
                double sum = 0;
                for (int v = 0; v < kernel; ++v) {
                    for (int u = 0; u < kernel; ++u) {
                        const int row = y * shape.stride + v - padding.before;
                        const int column = x * shape.stride + u - padding.before;
                        if (row < 0 || row >= shape.side || column < 0 || column >= shape.side) {
                            continue;
                        }
                        for (int c = 0; c < shape.in; ++c) {
                            sum += static_cast<double>(image[static_cast<std::size_t>(
                                       (row * shape.side + column) * shape.in + c)]) *
                                   packed[static_cast<std::size_t>(
                                       ((o * kernel + v) * kernel + u) * shape.in + c)];
                        }
                    }
                }
                out.push_back(sum);
            }
        }
    }
    return out;
}

/// Convolution by its definition: filter (out, in, kernel, kernel), TensorFlow's padding.
std::vector<double> reference(const std::vector<float>& image, const std::vector<float>& filter,
                              int in, const ConvolutionShape& shape) {
    const Padding padding = samePadding(shape.side, shape.kernel, shape.stride);
    std::vector<double> out;
    for (int y = 0; y < shape.outputSide(); ++y) {
        for (int x = 0; x < shape.outputSide(); ++x) {
            for (int o = 0; o < shape.out; ++o) {
                double sum = 0;
                for (int c = 0; c < in; ++c) {
                    for (int v = 0; v < shape.kernel; ++v) {
                        for (int u = 0; u < shape.kernel; ++u) {
                            const int row = y * shape.stride + v - padding.before;
                            const int column = x * shape.stride + u - padding.before;
                            if (row < 0 || row >= shape.side || column < 0 ||
                                column >= shape.side) {
                                continue;
                            }
                            sum += static_cast<double>(image[static_cast<std::size_t>(
                                       (row * shape.side + column) * shape.in + c)]) *
                                   filter[static_cast<std::size_t>(
                                       ((o * in + c) * shape.kernel + v) * shape.kernel + u)];
                        }
                    }
                }
                out.push_back(sum);
            }
        }
    }
    return out;
}

TEST(PackFilter, givesTheSumsOfTheDefinition_inEachLayout) {
    for (const ConvolutionShape shape :
         {ConvolutionShape{1, 8, 4, 3, 3, 1}, ConvolutionShape{1, 8, 4, 3, 3, 2},
          ConvolutionShape{1, 12, 4, 2, 5, 2}, ConvolutionShape{1, 7, 4, 2, 3, 2}}) {
        constexpr int kIn = 3;
        const auto taps = static_cast<std::size_t>(shape.kernel * shape.kernel);
        const std::vector<float> filter =
            randomValues(static_cast<std::size_t>(shape.out) * kIn * taps, 1);
        // The padding channel of the image is random, since it must not matter.
        const std::vector<float> image = randomValues(shape.inputValues(), 2);
        const std::vector<double> expected = reference(image, filter, kIn, shape);
        for (const FilterLayout layout : {FilterLayout::original, FilterLayout::widened}) {
            const std::vector<double> sums =
                convolve(image, packFilter(filter, kIn, shape, layout), shape, layout);
            ASSERT_EQ(sums.size(), expected.size());
            for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], 1e-12);
        }
    }
}

TEST(PackFilter, refusesFilterOfAnotherSize) {
    const ConvolutionShape shape{1, 8, 4, 3, 3, 1};
    EXPECT_THROW(packFilter(std::vector<float>(10), 3, shape, FilterLayout::original), InputError);
    EXPECT_THROW(packFilter(std::vector<float>(3 * 5 * 9), 5, shape, FilterLayout::original),
                 InputError);
}

TEST(ConvolutionShape, hasNameOfItsOwn_whenAnythingDiffers) {
    const ConvolutionShape shape;
    EXPECT_EQ(shape.name(), "convolution 1 images 224 8>16 3/1 float16");
    ConvolutionShape other = shape;
    other.precision = Precision::bfloat16;
    EXPECT_NE(other.name(), shape.name());
    other = shape;
    other.images = 3;
    EXPECT_NE(other.name(), shape.name());
}

}  // namespace
}  // namespace threefold::cuda::library
