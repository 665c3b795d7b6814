#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "render/device.h"
#include "render/offscreen.h"

namespace threefold::render {

/// Fixture with a device and validation layers. A test fails if the layers are not loaded or report
/// anything.
class Rendering : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    const Device& device() const { return *device_; }
    const Instance& instance() const { return *instance_; }
    OffscreenTarget& target() { return *target_; }

  private:
    std::vector<std::string> messages_;  // reports of the validation layers
    std::unique_ptr<Instance> instance_;
    std::unique_ptr<Device> device_;
    std::unique_ptr<OffscreenTarget> target_;
};

}  // namespace threefold::render
