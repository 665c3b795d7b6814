// threefold_test_model BUNDLED OUT writes the model that tests use in place of the bundled one, so
// that a change of the bundled weights changes no test. BUNDLED gives the template.
//
// A few channels are made by hand. They carry the information which pixels are white. Each
// graph block moves a vertex towards the middle if the vertex projects to white in some view; each
// hypothesis block prefers positions that project to white in no view. So meshes follow the
// photographs' outlines, and tests detect a wrong camera. All other weights are pseudo-random,
// equal on every machine, and move vertices by some thousandths, so that every weight has an
// effect.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/model/architecture.h"
#include "engine/model/expected_weights.h"
#include "engine/model/model.h"
#include "engine/model/template_mesh.h"

namespace threefold {
namespace {

/// Values of a tensor, initially pseudo-random and uniform around 0.
class Tensor {
  public:
    Tensor(std::string_view name, std::vector<std::size_t> shape, double deviation)
        : shape_(std::move(shape)) {
        std::uint64_t state = 0xCBF29CE484222325;
        for (const char letter : name)
            state = (state ^ static_cast<std::uint8_t>(letter)) * 0x100000001B3;
        std::size_t count = 1;
        for (const std::size_t side : shape_) count *= side;
        const auto largest = static_cast<float>(deviation * std::sqrt(3.0));
        for (std::size_t i = 0; i < count; ++i) values_.push_back(largest * uniform(state));
    }

    /// Sets all values at one index of an axis to 0.
    void clear(std::size_t axis, std::size_t index) {
        std::size_t inner = 1;
        for (std::size_t i = axis + 1; i < shape_.size(); ++i) inner *= shape_[i];
        for (std::size_t i = 0; i < values_.size(); ++i)
            if (i / inner % shape_[axis] == index) values_[i] = 0;
    }

    template <class... Index>
    float& at(Index... index) {
        std::size_t place = 0;
        std::size_t axis = 0;
        ((place = place * shape_[axis++] + index), ...);
        return values_.at(place);
    }

    Array inHalf() const {
        Array array{DType::f16, shape_, std::vector<std::byte>(2 * values_.size())};
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const std::uint16_t bits = floatToHalf(values_[i]);
            std::memcpy(array.data.data() + 2 * i, &bits, sizeof(bits));
        }
        return array;
    }

  private:
    /// splitmix64 as a float from −1 to 1.
    static float uniform(std::uint64_t& state) {
        std::uint64_t z = state += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        z ^= z >> 31;
        return static_cast<float>(static_cast<std::int32_t>(z >> 40) - (1 << 23)) * 0x1p-23F;
    }

    std::vector<std::size_t> shape_;
    std::vector<float> values_;
};

using Tensors = std::map<std::string, Tensor>;

// Standard deviation with which random channels keep their magnitude from layer to layer. The last
// layers, which have 3 outputs or 1, have standard deviations of their own.
double deviationOf(const std::string& name, const std::vector<std::size_t>& shape) {
    if (name.ends_with("bias")) return 0.02;
    if (shape.size() == 4)
        return std::sqrt(2.0 / static_cast<double>(shape[1] * shape[2] * shape[3]));
    if (name.starts_with("stage1") && shape[1] == 3) return 8e-3;
    if (shape[1] == 1) return 0.15;
    return std::sqrt(1.0 / static_cast<double>(shape[0]));
}

/// Sets the weights so that channel 0 of every layer is 1 where a pixel is white, and 0 elsewhere.
void carryWhite(Tensors& tensors, const std::string& prefix, std::size_t layers) {
    for (std::size_t i = 0; i < layers; ++i) {
        const ConvolutionSpec& spec = kCnnLayers[i];
        Tensor& weight = tensors.at(fmt::format("{}.conv{}.weight", prefix, i + 1));
        Tensor& bias = tensors.at(fmt::format("{}.conv{}.bias", prefix, i + 1));
        weight.clear(0, 0);
        bias.at(0) = i == 0 ? -11 : 0;
        const auto middle = static_cast<std::size_t>(spec.kernelSize / 2);
        if (i == 0) {
            for (std::size_t colour = 0; colour < 3; ++colour)
                weight.at(0, colour, middle, middle) = 4;
        } else if (spec.stride == 1) {
            weight.at(0, 0, middle, middle) = 1;
        } else {  // mean of the four pixels that become one (METHOD.md §4 has the padding)
            for (const std::size_t row : {middle - 1, middle})
                for (const std::size_t column : {middle - 1, middle})
                    weight.at(0, 0, row, column) = 0.25F;
        }
    }
}

// Hidden features that a graph block carries from layer to layer: the positive and the negative
// part of each coordinate relative to the middle; then, for each of four maps, a copy of these six
// parts, 0 if the vertex is on white in the map. The other hidden features are random.
constexpr std::size_t kParts = 6;
constexpr std::size_t kMaps = 4;
constexpr std::size_t kCarried = kParts + kParts * kMaps;
constexpr float kMiddle = 0.8F;  // distance of the middle from the camera
// kWhiteChannel: channel 0 of each map among the maxima across views. kDrawn: for each map, the
// fraction by which a block moves a vertex towards the middle if the vertex is on white in the map.
// A vertex far from the object is on white in all maps.
constexpr std::size_t kWhiteChannel[kMaps] = {3, 3 + 64, 3 + 64 + 128, 3 + 64 + 128 + 256};
constexpr float kDrawn[kMaps] = {0.15F, 0.2F, 0.2F, 0.1F};
constexpr float kKept =
    0.35F;  // fraction of a coordinate that remains for a vertex on white in all maps
// Scale of each block's output; the template is smaller than some objects.
constexpr float kSize[] = {1.6F, 1, 1};
constexpr float kSmoothed = 0.5F;  // weight of the neighbours' mean in a vertex's position

constexpr float signOf(std::size_t channel) {
    return channel % 2 == 0 ? 1.0F : -1.0F;
}

/// Makes a layer pass on the first `count` features of the previous layer.
void carry(Tensors& tensors, const std::string& layer, std::size_t count) {
    for (std::size_t channel = 0; channel < count; ++channel) {
        for (const char* support : {".weights.0", ".weights.1"})
            tensors.at(layer + support).clear(1, channel);
        tensors.at(layer + ".weights.0").at(channel, channel) = 1;
        tensors.at(layer + ".bias").at(channel) = 0;
    }
}

void drawInwards(Tensors& tensors, std::size_t block) {
    const std::string name = fmt::format("stage1.gcn{}_layers.", block + 1);
    const std::size_t last = kGraphBlockLayerCounts[block] - 1;
    for (std::size_t layer = 0; layer < last; ++layer)
        carry(tensors, name + std::to_string(layer), layer == 0 ? kCarried + kMaps : kCarried);
    // Layer 0 computes the parts of the coordinates. The features after the carried ones are 1
    // where, in some view, all pixels of their map around the vertex are white.
    Tensor& first = tensors.at(name + "0.weights.0");
    Tensor& bias = tensors.at(name + "0.bias");
    for (std::size_t channel = 0; channel < kCarried + kMaps; ++channel) first.clear(1, channel);
    for (std::size_t channel = 0; channel < kParts; ++channel) {
        first.at(channel / 2, channel) = signOf(channel);
        if (channel / 2 == 2) bias.at(channel) = signOf(channel) * kMiddle;
    }
    for (std::size_t map = 0; map < kMaps; ++map) {
        first.at(kWhiteChannel[map], kCarried + map) = 4;
        bias.at(kCarried + map) = -3;
    }
    // Layer 1 copies the parts for each map. Where the map is white, the layer subtracts 1
    // from the copies, which makes them 0 after ReLU, since parts are at most 1.
    Tensor& second = tensors.at(name + "1.weights.0");
    for (std::size_t channel = kParts; channel < kCarried; ++channel) {
        second.clear(1, channel);
        second.at(channel % kParts, channel) = 1;
        second.at(kCarried + channel / kParts - 1, channel) = -1;
    }
    const std::string end = name + std::to_string(last);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t channel = 0; channel < kCarried; ++channel) {
            // Layer 2 is averaged with layer 0 (METHOD.md §6), where the copies are 0: hence the 2.
            const float fraction = channel < kParts ? kKept : 2 * kDrawn[channel / kParts - 1];
            const bool own = channel % kParts / 2 == axis;
            const float weight = own ? signOf(channel) * fraction * kSize[block] : 0.0F;
            // The Laplacian's rows are approximately the negative mean of the neighbours.
            tensors.at(end + ".weights.0").at(channel, axis) = (1 - kSmoothed) * weight;
            tensors.at(end + ".weights.1").at(channel, axis) = -kSmoothed * weight;
        }
        tensors.at(end + ".bias").at(axis) = axis == 2 ? -kMiddle : 0;
    }
}

/// Sets the weights so that hidden feature 0 of a hypothesis block is 1 for hypotheses that are on
/// white in no view, and smaller for others.
void avoidWhite(Tensors& tensors, std::size_t block) {
    const std::string name = fmt::format("stage2.drb{}.local_conv", block + 1);
    for (std::size_t layer = 1; layer < kLocalConvolutionCount; ++layer) {
        carry(tensors, name + std::to_string(layer), 1);
        // Layers 3 and 5 add this feature by their residual connection.
        if (layer == 3 || layer == 5)
            tensors.at(name + std::to_string(layer) + ".weights.0").clear(1, 0);
    }
    Tensor& first = tensors.at(name + "1.weights.0");
    first.clear(1, 0);
    first.at(kWhiteChannel[0], std::size_t{0}) = -1;
    tensors.at(name + "1.bias").at(0) = 1;
    const std::string end = name + std::to_string(kLocalConvolutionCount);
    tensors.at(end + ".weights.0").at(std::size_t{0}, std::size_t{0}) = 3;
    tensors.at(end + ".weights.1").at(std::size_t{0}, std::size_t{0}) = 0;
    tensors.at(end + ".bias").at(0) = 2;
}

void write(const char* bundled, const char* out) {
    const auto model = loadModel(bundled);
    Tensors tensors;
    for (const auto& [name, shape] : expectedWeights(model->templateMesh))
        tensors.try_emplace(name, name, shape, deviationOf(name, shape));
    carryWhite(tensors, "stage1.cnn", kCnnLayers.size());
    carryWhite(tensors, "stage2.cnn", kStage2LayerCount);
    for (std::size_t block = 0; block < kGraphBlockLayerCounts.size(); ++block)
        drawInwards(tensors, block);
    for (std::size_t block = 0; block < kPublishedHypothesisBlocks; ++block)
        avoidWhite(tensors, block);

    Safetensors content{templateToArrays(model->templateMesh), model->provenance};
    content.metadata["sampler"] = samplerName(SamplerKind::bilinearPerView);
    content.metadata["description"] = "for tests: follows the photographs' outlines";
    for (const auto& [name, tensor] : tensors) content.arrays.emplace(name, tensor.inHalf());
    writeSafetensors(out, content);
}

}  // namespace
}  // namespace threefold

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::runtime_error("threefold_test_model BUNDLED OUT");
        threefold::write(argv[1], argv[2]);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
