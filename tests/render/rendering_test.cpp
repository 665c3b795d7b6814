#include "tests/render/rendering_test.h"

#include <gmock/gmock.h>

namespace threefold::render {

void Rendering::SetUp() {
    instance_ = std::make_unique<Instance>(InstanceOptions{
        .validation = true,
        .log = [this](LogLevel, std::string_view line) { messages_.emplace_back(line); }});
    device_ = std::make_unique<Device>(*instance_);
    target_ = std::make_unique<OffscreenTarget>(*device_);
}

void Rendering::TearDown() {
    // The layer reports leaked objects when the device is destroyed.
    target_.reset();
    device_.reset();
    EXPECT_THAT(messages_, testing::IsEmpty());
}

}  // namespace threefold::render
