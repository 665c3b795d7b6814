// Stand-in for cuda/library's Cnn that computes with tests/cuda/simulation. In place of weights,
// packCnn() stores the stage, the precision and a pointer to the model.
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/library/cnn.h"
#include "engine/model/architecture.h"
#include "engine/views/camera.h"
#include "tests/cuda/library/plain_values.h"
#include "tests/cuda/simulation/convolutions.h"

namespace threefold::cuda::library {
namespace {

struct Packed {
    const Model* model = nullptr;
    bool second = false;  ///< stage 2
    Precision precision = Precision::float32;
};

/// scratch_ is the image count, plus kStage2Flag for stage 2.
constexpr std::size_t kStage2Flag = std::size_t{1} << 32;

CnnStage stageOf(bool second) {
    return second ? stage2Cnn() : stage1Cnn();
}

/// Feature maps that the simulation computes. The maps of the last eight inputs are cached, since
/// the computation takes seconds.
const simulation::Maps& mapsOf(const Packed& packed, const std::vector<float>& images,
                               std::size_t count) {
    struct Seen {
        std::string model;
        bool second;
        Precision precision;
        std::vector<float> images;
        simulation::Maps maps;
    };
    static std::deque<Seen> kept;
    for (const Seen& seen : kept) {
        if (seen.model == packed.model->hash && seen.second == packed.second &&
            seen.precision == packed.precision && seen.images == images) {
            return seen.maps;
        }
    }
    constexpr std::size_t kKept = 8;
    if (kept.size() == kKept) kept.pop_front();
    const simulation::Arithmetic arithmetic{.cnn1 = packed.precision, .cnn2 = packed.precision};
    Seen seen{
        packed.model->hash, packed.second, packed.precision, images,
        simulation::convolve(*packed.model, packed.second ? 2 : 1, images, count, arithmetic)};
    return kept.emplace_back(std::move(seen)).maps;
}

}  // namespace

CnnStage stage1Cnn() {
    return {"stage1.cnn", kCnnLayers.size(), kStage1FirstTap, kCnnTaps.size()};
}
CnnStage stage2Cnn() {
    return {"stage2.cnn", kStage2LayerCount, 0, kStage2TapCount};
}

std::vector<std::byte> packCnn(const Model& model, const CnnStage& stage, Precision precision) {
    const Packed packed{&model, stage.prefix == stage2Cnn().prefix, precision};
    std::vector<std::byte> bytes(sizeof packed);
    std::memcpy(bytes.data(), &packed, sizeof packed);
    return bytes;
}

Cnn::Cnn(Context& context, const CnnStage& stage, Precision precision, int images)
    : context_(&context), element_(storageOf(precision)) {
    const bool second = stage.prefix == stage2Cnn().prefix;
    scratch_ = static_cast<std::size_t>(images) + (second ? kStage2Flag : 0);
    for (const DeviceMap& map : maps(nullptr)) {
        workspaceBytes_ += static_cast<std::size_t>(images) * static_cast<std::size_t>(map.side) *
                           static_cast<std::size_t>(map.side) *
                           static_cast<std::size_t>(map.channels) * elementBytes(element_);
    }
}

std::vector<DeviceMap> Cnn::maps(const std::byte* workspace) const {
    const bool second = scratch_ >= kStage2Flag;
    const std::size_t images = scratch_ % kStage2Flag;
    const CnnStage stage = stageOf(second);
    std::vector<DeviceMap> maps;
    std::size_t offset = 0;
    for (std::size_t tap = stage.firstTap; tap < stage.endTap; ++tap) {
        const int side = kInputSide >> tap;
        const int channels = static_cast<int>(tapChannels(tap));
        maps.push_back({workspace + offset, side, channels});
        offset +=
            images * static_cast<std::size_t>(side * side * channels) * elementBytes(element_);
    }
    return maps;
}

void Cnn::enqueue(Stream, const void* images, const std::byte* weights, std::byte* workspace,
                  const OperationHook& hook) const {
    Packed packed;
    std::memcpy(&packed, weights, sizeof packed);
    const bool second = scratch_ >= kStage2Flag;
    EXPECT_EQ(packed.second, second) << "the other stage's weights";
    const std::size_t count = scratch_ % kStage2Flag;
    constexpr std::size_t kPixels = std::size_t{kInputSide} * kInputSide;
    std::vector<float> values(count * kPixels * 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] =
            test::load(images, element_, static_cast<std::int64_t>(i / 3 * kImageChannels + i % 3));
    }
    const simulation::Maps* made = nullptr;
    hook({"convolutions", 1, 1}, [&] { made = &mapsOf(packed, values, count); });
    const std::vector<DeviceMap> outputMaps = maps(workspace);
    for (std::size_t map = 0; map < outputMaps.size(); ++map) {
        const std::span<const float> from = made->values[map].span();
        for (std::size_t i = 0; i < from.size(); ++i) {
            test::store(const_cast<void*>(outputMaps[map].values), element_,
                        static_cast<std::int64_t>(i), from[i]);
        }
    }
}

}  // namespace threefold::cuda::library
