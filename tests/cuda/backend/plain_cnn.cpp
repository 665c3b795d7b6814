// The convolutions of cuda/library by the processor's own engine: packed "weights" name the model
// and the part, since a stand-in needs no layout.
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cuda/library/cnn.h"
#include "engine/model/architecture.h"
#include "engine/network/cnn.h"
#include "engine/views/camera.h"
#include "tests/cuda/library/plain_values.h"

namespace threefold::cuda::library {
namespace {

struct Packed {
    const Model* model = nullptr;
    bool second = false;  ///< stage 2
};

constexpr std::size_t kSecond = std::size_t{1} << 32;

CnnPart partOf(bool second) {
    return second ? stage2Cnn() : stage1Cnn();
}

/// The processor's maps; those of the last few images are kept, since it takes seconds for them.
const std::vector<std::vector<float>>& mapsOf(const Packed& packed,
                                              const std::vector<float>& images, std::size_t count) {
    struct Seen {
        std::string model;
        bool second;
        std::vector<float> images;
        std::vector<std::vector<float>> maps;
    };
    static std::deque<Seen> kept;
    for (const Seen& seen : kept) {
        if (seen.model == packed.model->hash && seen.second == packed.second &&
            seen.images == images) {
            return seen.maps;
        }
    }
    const CnnPart part = partOf(packed.second);
    threefold::Cnn engine(*packed.model, part.prefix, part.layers, part.firstTap, part.lastTap);
    constexpr std::size_t kKept = 8;
    if (kept.size() == kKept) kept.pop_front();
    Seen& seen = kept.emplace_back(Seen{packed.model->hash, packed.second, images, {}});
    for (const FeatureMap& map : engine.run(images.data(), count, {}, [](float) {})) {
        seen.maps.emplace_back(map.values, map.values + count * map.side * map.side * map.channels);
    }
    return seen.maps;
}

}  // namespace

CnnPart stage1Cnn() {
    return {"stage1.cnn", kCnnLayers.size(), kStage1FirstTap, kCnnTaps.size()};
}
CnnPart stage2Cnn() {
    return {"stage2.cnn", kStage2Layers, 0, kStage2Taps};
}

std::vector<std::byte> packCnn(const Model& model, const CnnPart& part, Precision) {
    const Packed packed{&model, part.prefix == stage2Cnn().prefix};
    std::vector<std::byte> bytes(sizeof packed);
    std::memcpy(bytes.data(), &packed, sizeof packed);
    return bytes;
}

Cnn::Cnn(Context& context, const CnnPart& part, Precision precision, int images)
    : context_(&context), element_(storageOf(precision)) {
    const bool second = part.prefix == stage2Cnn().prefix;
    scratch_ = static_cast<std::size_t>(images) + (second ? kSecond : 0);
    for (const DeviceMap& map : maps(nullptr)) {
        workspaceBytes_ += static_cast<std::size_t>(images) * static_cast<std::size_t>(map.side) *
                           static_cast<std::size_t>(map.side) *
                           static_cast<std::size_t>(map.channels) * bytesOf(element_);
    }
}

std::vector<DeviceMap> Cnn::maps(const std::byte* workspace) const {
    const bool second = scratch_ >= kSecond;
    const std::size_t images = scratch_ % kSecond;
    const CnnPart part = partOf(second);
    std::vector<DeviceMap> maps;
    std::size_t offset = 0;
    for (std::size_t tap = part.firstTap; tap < part.lastTap; ++tap) {
        const int side = kImageSize >> tap;
        const int channels = static_cast<int>(tapChannels(tap));
        maps.push_back({workspace + offset, side, channels});
        offset += images * static_cast<std::size_t>(side * side * channels) * bytesOf(element_);
    }
    return maps;
}

void Cnn::enqueue(Stream, const void* images, const std::byte* weights, std::byte* workspace,
                  const StepHook& step) const {
    Packed packed;
    std::memcpy(&packed, weights, sizeof packed);
    const bool second = scratch_ >= kSecond;
    EXPECT_EQ(packed.second, second) << "the other stage's weights";
    const std::size_t count = scratch_ % kSecond;
    constexpr std::size_t kPixels = std::size_t{kImageSize} * kImageSize;
    std::vector<float> values(count * kPixels * 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] =
            test::load(images, element_, static_cast<std::int64_t>(i / 3 * kImageChannels + i % 3));
    }
    const std::vector<std::vector<float>>* made = nullptr;
    step({"convolutions", 1, 1}, [&] { made = &mapsOf(packed, values, count); });
    const std::vector<DeviceMap> places = maps(workspace);
    for (std::size_t map = 0; map < made->size(); ++map) {
        for (std::size_t i = 0; i < (*made)[map].size(); ++i) {
            test::store(const_cast<void*>(places[map].values), element_,
                        static_cast<std::int64_t>(i), (*made)[map][i]);
        }
    }
}

}  // namespace threefold::cuda::library
