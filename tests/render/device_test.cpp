#include "render/device.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "engine/error.h"
#include "tests/render/rendering_test.h"
#include "tests/support/environment_variable.h"

namespace threefold::render {
namespace {

using testing::HasSubstr;

TEST(Instance, namesThePackage_whenThereIsNoDriver) {
    // The Vulkan loader reads VK_DRIVER_FILES since 1.3.207, and VK_ICD_FILENAMES in all versions.
    const threefold::test::EnvironmentVariable files("VK_DRIVER_FILES", "/nonexistent.json");
    const threefold::test::EnvironmentVariable older("VK_ICD_FILENAMES", "/nonexistent.json");
    try {
        const Instance instance({});
        const Device device(instance);
        FAIL() << "found a driver";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.report().remedy, HasSubstr("mesa-vulkan-drivers"));
    }
}

TEST(Instance, namesThePackage_whenTheLayerIsAbsent) {
    const threefold::test::EnvironmentVariable layers("VK_LAYER_PATH", "/nonexistent");
    try {
        const Instance instance({.validation = true});
        FAIL() << "found the layer";
    } catch (const DeviceError& error) {
        EXPECT_THAT(error.report().remedy, HasSubstr("vulkan-validationlayers"));
        EXPECT_THAT(error.what(), HasSubstr("vkCreateInstance"));
    }
}

/// Makes a fence with an invalid flag, which the validation layer reports and drivers ignore.
void makeWrongFence(const Device& device) {
    const VkFenceCreateInfo wrong{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = 0x40};
    VkFence fence = VK_NULL_HANDLE;
    if (vkCreateFence(device.handle(), &wrong, nullptr, &fence) == VK_SUCCESS) {
        vkDestroyFence(device.handle(), fence, nullptr);
    }
}

TEST(Instance, hasNoMessagesAndNoLayer_whenNotAskedFor) {
    std::vector<std::string> messages;
    const Instance instance(
        {.log = [&](LogLevel, std::string_view line) { messages.emplace_back(line); }});
    const Device device(instance);
    makeWrongFence(device);
    EXPECT_THAT(messages, testing::IsEmpty());
}

TEST(Validation, reportsAWrongCall) {
    std::vector<std::string> errors;
    InstanceOptions options{.validation = true};
    options.log = [&](LogLevel level, std::string_view line) {
        EXPECT_EQ(level, LogLevel::error) << line;
        errors.emplace_back(line);
    };
    const Instance instance(options);
    const Device device(instance);
    EXPECT_THAT(errors, testing::IsEmpty());
    makeWrongFence(device);
    EXPECT_THAT(errors, testing::Contains(HasSubstr("VUID-VkFenceCreateInfo-flags")));
}

TEST(Devices, areDescribed) {
    const Instance instance({});
    const std::vector<DeviceDescription> devices = describeDevices(instance);
    ASSERT_FALSE(devices.empty());
    for (const DeviceDescription& device : devices) {
        EXPECT_FALSE(device.name.empty());
        EXPECT_FALSE(device.driver.empty());
        EXPECT_THAT(device.apiVersion, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
        EXPECT_EQ(device.usable, device.missing.empty());
    }
}

using ChosenDevice = Rendering;

TEST_F(ChosenDevice, isTheFirstDescribed) {
    EXPECT_TRUE(device().description().usable);
    EXPECT_EQ(device().description().name, describeDevices(instance()).front().name);
    EXPECT_NE(device().queue(), VkQueue{VK_NULL_HANDLE});
}

}  // namespace
}  // namespace threefold::render
