#include "tests/render/rendering_test.h"

#include <gmock/gmock.h>

namespace threefold::render {

void Rendering::SetUp() {
    instance_ = std::make_unique<Instance>(InstanceOptions{.validation = true});
    ASSERT_TRUE(instance_->validationLoaded());
    device_ = std::make_unique<Device>(*instance_);
    target_ = std::make_unique<OffscreenTarget>(*device_);
}

void Rendering::TearDown() {
    // Objects that are left over are only noticed when the device goes.
    target_.reset();
    device_.reset();
    if (instance_) {
        EXPECT_THAT(instance_->validationMessages(), testing::IsEmpty());
    }
}

}  // namespace threefold::render
