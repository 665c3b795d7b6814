#include "engine/evaluation/describe_run.h"

#include <gtest/gtest.h>

#include "engine/devices/gpu_description.h"
#include "engine/network/onednn.h"
#include "engine/system/processor.h"

namespace threefold {
namespace {

TEST(Machine, namesProcessorAndLibrary_whenTheProcessorComputes) {
    const MachineDescription machine = describeMachine(3);
    EXPECT_EQ(machine.processor, processorName());
    EXPECT_EQ(machine.threads, 3);
    EXPECT_EQ(machine.libraries, "oneDNN " + onednn::version());
    EXPECT_NE(machine.memory.find(" GiB"), std::string::npos);
    EXPECT_NE(machine.system.find("Linux"), std::string::npos);
    EXPECT_TRUE(machine.gpu.empty());
    EXPECT_TRUE(machine.driver.empty());
}

TEST(Machine, countsTheThreads_whenNoneAreGiven) {
    EXPECT_GE(describeMachine(0).threads, 1);
}

TEST(Machine, namesTheGpu_whenOneComputes) {
    GpuDescription gpu;
    gpu.name = "H200";
    gpu.driver = "580.65";
    gpu.libraries = "CUDA 13.0";
    const MachineDescription machine = describeMachine(2, &gpu);
    EXPECT_EQ(machine.gpu, "H200");
    EXPECT_EQ(machine.driver, "580.65");
    EXPECT_EQ(machine.libraries, "CUDA 13.0, oneDNN " + onednn::version());
}

}  // namespace
}  // namespace threefold
