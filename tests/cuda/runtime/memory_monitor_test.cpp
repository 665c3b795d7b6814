#include "cuda/runtime/memory_monitor.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/cuda/runtime/fake_device.h"

namespace threefold::cuda {
namespace {

using test::FakeDevice;

Stream stream() {
    return FakeDevice::stream(1);
}

TEST(MemoryMonitor, readsTheDeviceAndThePools) {
    FakeDevice device(100'000);
    MemoryPool first(device, MemoryKind::device);
    MemoryPool second(device, MemoryKind::device);
    MemoryMonitor monitor(device, {});
    monitor.watch(first);
    monitor.watch(second);
    PooledMemory memory = first.allocate(40'960, stream());
    const PooledMemory other = second.allocate(1024, stream());
    void* foreign = device.allocate(10'000, stream());
    MemoryReading reading = monitor.read();
    EXPECT_EQ(reading.total, 100'000U);
    EXPECT_EQ(reading.used, 51'984U);
    EXPECT_EQ(reading.poolHeld, 41'984U);
    memory.reset();
    first.trim();
    device.free(foreign, stream());
    reading = monitor.read();
    EXPECT_EQ(reading.used, 1024U);
    EXPECT_EQ(reading.poolHeld, 1024U);
}

TEST(MemoryMonitor, alertsOnceForEachCrossing) {
    FakeDevice device(100);
    std::vector<std::size_t> alerts;
    MemoryMonitor monitor(device,
                          [&](const MemoryReading& reading) { alerts.push_back(reading.used); });
    const auto readAt = [&](std::size_t used) {
        void* memory = device.allocate(used, stream());
        monitor.read();
        device.free(memory, stream());
    };
    readAt(90);
    EXPECT_TRUE(alerts.empty());
    for (const std::size_t used : {91, 95, 87, 93, 85, 92}) readAt(used);
    EXPECT_EQ(alerts, std::vector<std::size_t>{91});
    readAt(84);
    readAt(99);
    EXPECT_EQ(alerts, (std::vector<std::size_t>{91, 99}));
}

TEST(MemoryMonitor, throws_whenTheDeviceIsLost) {
    FakeDevice device;
    MemoryMonitor monitor(device, {});
    device.lose();
    EXPECT_THROW(monitor.read(), DeviceLost);
}

}  // namespace
}  // namespace threefold::cuda
