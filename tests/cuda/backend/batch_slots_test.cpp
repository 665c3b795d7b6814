#include "cuda/backend/batch_slots.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <stdexcept>

#include <gtest/gtest.h>

#include "cuda/backend/cuda_device_api.h"
#include "tests/cuda/backend/plain_cuda.h"

namespace threefold::cuda {
namespace {

constexpr std::size_t kSlots = 2;
constexpr std::size_t kViews = 2;
constexpr std::size_t kFloats = 2 * kViews;

/// Input number `number`: each view has a uniform colour. Inputs of different numbers differ in
/// colours, widths and cameras.
NetworkInput inputOf(int number) {
    NetworkInput input;
    for (int view = 0; view < static_cast<int>(kViews); ++view) {
        Image image{20 + 7 * number, 30 + view, {}};
        image.rgba.assign(static_cast<std::size_t>(4 * image.width * image.height),
                          static_cast<std::uint8_t>(10 * number + view));
        input.images.push_back(std::move(image));
        input.cameras.push_back(Camera::fromRow({40.0 * view + number, 30.0, 0.0, 1.5, 25.0}));
    }
    return input;
}

/// Fake device: for each view it writes the image's colour, or NaN if the pixels differ, and the
/// first component of the view's translation.
class BatchSlotsTest : public testing::Test {
  protected:
    BatchSlotsTest() {
        test::setReplay([this] { compute(); });
    }
    ~BatchSlotsTest() override {
        test::setReplay([] {});
    }

    void compute() {
        for (std::size_t view = 0; view < kViews; ++view) {
            DeviceImage image;
            std::memcpy(&image, inputs_.data() + layout_.tableOffset + view * sizeof image,
                        sizeof image);
            const std::size_t bytes = std::size_t{4} * image.width * image.height;
            const bool uniform =
                std::all_of(image.rgba, image.rgba + bytes,
                            [&](std::uint8_t byte) { return byte == image.rgba[0]; });
            results_[2 * view] = uniform ? static_cast<float>(image.rgba[0]) : NAN;
            ViewTransform transform;
            std::memcpy(&transform, inputs_.data() + view * sizeof transform, sizeof transform);
            results_[2 * view + 1] = static_cast<float>(transform.translation[0]);
        }
    }

    std::size_t begin(BatchSlots& slots, int number) {
        const NetworkInput input = inputOf(number);
        const std::size_t slot = slots.fillSlot({&input, 1});
        slots.upload(slot);
        EXPECT_EQ(cudaGraphLaunch(nullptr, contexts_.main), cudaSuccess);
        slots.download(slot, results_.data());
        slots.recordDone(slot);
        return slot;
    }

    std::vector<float> expected(int number) {
        const NetworkInput input = inputOf(number);
        std::vector<std::byte> host(layout_.bytes);
        stageInputs({&input, 1}, layout_, host.data(), host.data() + layout_.pixelsOffset);
        std::vector<float> values;
        for (std::size_t view = 0; view < kViews; ++view) {
            ViewTransform transform;
            std::memcpy(&transform, host.data() + view * sizeof transform, sizeof transform);
            values.push_back(static_cast<float>(10 * number + static_cast<int>(view)));
            values.push_back(static_cast<float>(transform.translation[0]));
        }
        return values;
    }

    static std::vector<float> takeResults(BatchSlots& slots, std::size_t slot) {
        const std::span<const float> values = slots.results(slot);
        const std::vector<float> copy(values.begin(), values.end());
        slots.release(slot);
        return copy;
    }

    CudaDeviceApi device_{chooseDevice(0, Precision::float16)};
    BackendStreams streams_;
    MemoryPool memory_{device_, MemoryKind::device};
    MemoryPool pinned_{device_, MemoryKind::pinned};
    StreamContexts contexts_{streams_, memory_};
    InputLayout layout_{1, kViews, std::size_t{256} * 256};
    PooledMemory inputs_ = memory_.allocate(layout_.deviceBytes(kSlots), contexts_.main);
    std::vector<float> results_ = std::vector<float>(kFloats);
};

TEST_F(BatchSlotsTest, giveEachBatchItsOwnResults_whenTheNextBeginsEarly) {
    constexpr int kBatches = 6;
    for (unsigned seed = 0; seed < 100; ++seed) {
        const test::RandomStreamOrder streams(seed);
        BatchSlots slots(layout_, kFloats, kSlots, inputs_.data(), contexts_, pinned_);
        std::deque<std::size_t> begun = {begin(slots, 0)};
        for (int number = 0; number < kBatches; ++number) {
            if (number + 1 < kBatches) begun.push_back(begin(slots, number + 1));
            EXPECT_EQ(takeResults(slots, begun.front()), expected(number)) << "seed " << seed;
            begun.pop_front();
        }
    }
}

TEST_F(BatchSlotsTest, giveEachBatchItsOwnResults_whenFinishedInAnyOrder) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        const test::RandomStreamOrder streams(seed);
        BatchSlots slots(layout_, kFloats, kSlots, inputs_.data(), contexts_, pinned_);
        std::size_t kept = begin(slots, 0);
        for (int number = 1; number < 5; ++number) {
            const std::size_t other = begin(slots, number);
            EXPECT_EQ(takeResults(slots, other), expected(number)) << "seed " << seed;
        }
        EXPECT_EQ(takeResults(slots, kept), expected(0)) << "seed " << seed;
        // Frees the first slot while the second is in use, then the second while the first is in
        // use.
        kept = begin(slots, 5);
        const std::size_t second = begin(slots, 6);
        EXPECT_EQ(takeResults(slots, kept), expected(5));
        kept = begin(slots, 7);
        EXPECT_EQ(takeResults(slots, second), expected(6));
        EXPECT_EQ(takeResults(slots, kept), expected(7));
    }
}

TEST_F(BatchSlotsTest, refuseAThirdBatch_whenTwoAreRunning) {
    BatchSlots slots(layout_, kFloats, kSlots, inputs_.data(), contexts_, pinned_);
    const std::size_t first = begin(slots, 0);
    begin(slots, 1);
    EXPECT_THROW(begin(slots, 2), std::logic_error);
    EXPECT_EQ(takeResults(slots, first), expected(0));
    EXPECT_EQ(takeResults(slots, begin(slots, 2)), expected(2));
}

TEST_F(BatchSlotsTest, waitForRunningBatches_whenDestroyed) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const test::RandomStreamOrder streams(seed);
        std::optional<BatchSlots> slots(std::in_place, layout_, kFloats, kSlots, inputs_.data(),
                                        contexts_, pinned_);
        std::ranges::fill(results_, -1.0F);
        begin(*slots, 1);
        begin(*slots, 2);
        slots.reset();
        EXPECT_EQ(results_, expected(2)) << "seed " << seed;
    }
}

}  // namespace
}  // namespace threefold::cuda
