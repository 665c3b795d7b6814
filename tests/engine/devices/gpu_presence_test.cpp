#include "engine/devices/gpu_presence.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/temp_folder.h"

namespace threefold::test {
namespace {

class GpuPresence : public testing::Test {
  protected:
    void write(const std::string& file, const std::string& text) const {
        const std::filesystem::path path = folder_ / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    void addPciDevice(const std::string& bus, const std::string& vendor,
                      const std::string& kind) const {
        write("sys/bus/pci/devices/" + bus + "/vendor", vendor + '\n');
        write("sys/bus/pci/devices/" + bus + "/class", kind + '\n');
    }
    bool found() const { return hasNvidiaGpu(folder_.path()); }

    TempFolder folder_;
};

TEST_F(GpuPresence, isNone_whenTheSystemIsEmpty) {
    EXPECT_FALSE(found());
}

TEST_F(GpuPresence, isFoundOnThePciBus_whenThereIsNoDriver) {
    addPciDevice("0000:00:02.0", "0x8086", "0x030000");
    EXPECT_FALSE(found()) << "a GPU of another vendor";
    addPciDevice("0000:01:00.1", "0x10de", "0x040300");
    EXPECT_FALSE(found()) << "the audio function of a graphics card";
    addPciDevice("0000:03:00.0", "0x10de", "0x068000");
    EXPECT_FALSE(found()) << "an NVSwitch";
    addPciDevice("0000:01:00.0", "0x10de", "0x030200");
    EXPECT_TRUE(found());
}

TEST_F(GpuPresence, isFoundByItsDeviceFile_whenThePciBusIsHidden) {
    write("dev/nvidiactl", "");
    write("dev/nvidia-uvm", "");
    EXPECT_FALSE(found()) << "a driver without a GPU";
    write("dev/nvidia3", "");
    EXPECT_TRUE(found());
}

TEST_F(GpuPresence, isNone_whenADeviceCannotBeRead) {
    std::filesystem::create_directories(folder_ / "sys/bus/pci/devices/0000:01:00.0");
    write("dev", "no folder");
    EXPECT_FALSE(found());
}

}  // namespace
}  // namespace threefold::test
