#include "cuda/backend/network_reporter.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace threefold::cuda {
namespace {

using Shape = std::vector<std::size_t>;

/// Collects the tensors that a reporter's function receives.
struct Reported {
    std::function<void(const DeviceTensor&)> function() {
        return [this](const DeviceTensor& tensor) {
            names.emplace_back(tensor.name);
            tensors.push_back(tensor);
        };
    }

    std::vector<std::string> names;
    std::vector<DeviceTensor> tensors;  ///< whose names are valid only during the call
};

TEST(NetworkReporter, reportsNothing_withoutAFunction) {
    const std::function<void(const DeviceTensor&)> nobody;
    const NetworkReporter reporter(nobody);
    EXPECT_FALSE(reporter.isOn());
    reporter.tensor("score_1", nullptr, ElementType::float32, {3, 2});
    reporter.maps("stage1", {}, ElementType::float32, 2);
}

TEST(NetworkReporter, takesTheWidthAsPitch_whenNoPitchIsGiven) {
    Reported reported;
    const auto function = reported.function();
    const NetworkReporter reporter(function);
    EXPECT_TRUE(reporter.isOn());
    reporter.tensor("score_1", nullptr, ElementType::float32, {3, 2});
    reporter.tensor("image", nullptr, ElementType::float16, {1, 4, 4, 3}, 8);
    ASSERT_EQ(reported.names, (std::vector<std::string>{"score_1", "image"}));
    EXPECT_EQ(reported.tensors[0].pitch, 2U);
    EXPECT_EQ(reported.tensors[1].pitch, 8U);
    EXPECT_EQ(reported.tensors[1].shape, (Shape{1, 4, 4, 3}));
}

TEST(NetworkReporter, namesMapsByTheirChannels) {
    Reported reported;
    const auto function = reported.function();
    const std::byte values[2] = {};
    const DeviceMap maps[] = {{&values[0], 56, 64}, {&values[1], 28, 128}};
    NetworkReporter(function).maps("stage2", maps, ElementType::bfloat16, 3);
    ASSERT_EQ(reported.names, (std::vector<std::string>{"stage2_map_64", "stage2_map_128"}));
    EXPECT_EQ(reported.tensors[0].values, &values[0]);
    EXPECT_EQ(reported.tensors[0].shape, (Shape{3, 56, 56, 64}));
    EXPECT_EQ(reported.tensors[1].values, &values[1]);
    EXPECT_EQ(reported.tensors[1].element, ElementType::bfloat16);
}

}  // namespace
}  // namespace threefold::cuda
