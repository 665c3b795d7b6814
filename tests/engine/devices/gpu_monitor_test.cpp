#include "engine/devices/gpu_monitor.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace threefold {
namespace {

constexpr std::chrono::milliseconds kOften(1);

std::string nvml(const std::string& name) {
    return std::string(THREEFOLD_FAKE_NVML) + "/lib" + name + ".so";
}

/// Waits until there are `readings` readings.
GpuUtilisation waitFor(const GpuMonitor& watch, std::size_t readings) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < deadline) {
        if (const auto found = watch.utilisation(); found && found->readingCount >= readings)
            return *found;
        std::this_thread::sleep_for(kOften);
    }
    ADD_FAILURE() << "there were no readings";
    return {};
}

TEST(GpuMonitor, readsTheDriversGauges) {
    const GpuMonitor watch({"0000:87:00.0"}, nvml("fake_nvml"), kOften);
    const GpuUtilisation busy = waitFor(watch, 4);
    EXPECT_EQ(busy.minPercent, 87);
    EXPECT_NEAR(busy.meanPercent, 90, 1) << "every third reading is 97 %";
    const GpuReading reading = watch.last().value();
    EXPECT_EQ(reading.usedBytes, 12'300'000'000U);
    EXPECT_EQ(reading.freeBytes, 67'700'000'000U);
    EXPECT_EQ(reading.clockMegahertz, 1980);
    EXPECT_DOUBLE_EQ(reading.powerWatts.value(), 412.3);
    EXPECT_FALSE(reading.temperatureCelsius) << "this GPU has no such gauge";
}

TEST(GpuMonitor, givesMeansAndSums_ofSeveralGpus) {
    const GpuMonitor watch({"0000:20:00.0", "0000:40:00.0"}, nvml("fake_nvml"), kOften);
    const GpuUtilisation busy = waitFor(watch, 2);
    EXPECT_EQ(busy.minPercent, 30);
    EXPECT_NEAR(busy.meanPercent, 33, 1);
    EXPECT_EQ(watch.last()->usedBytes, 24'600'000'000U);
    EXPECT_EQ(watch.last()->clockMegahertz, 1980);
    EXPECT_DOUBLE_EQ(watch.last()->powerWatts.value(), 824.6);
}

TEST(GpuMonitor, readsOtherGauges_whenTheLibraryLacksAFunction) {
    const GpuMonitor watch({"0000:87:00.0"}, nvml("fake_nvml_old"), kOften);
    waitFor(watch, 1);
    EXPECT_FALSE(watch.last()->powerWatts);
    EXPECT_EQ(watch.last()->clockMegahertz, 1980);
}

TEST(GpuMonitor, readsNothing_whenThereIsNoDriverOrNoSuchGpu) {
    const std::vector<std::string> one = {"0000:87:00.0"};
    const GpuMonitor noFile(one, "/no/such/libnvidia-ml.so.1", kOften);
    const GpuMonitor notLoaded(one, nvml("fake_nvml_broken"), kOften);
    const GpuMonitor noGpu({"0000:00:00.0"}, nvml("fake_nvml"), kOften);
    const GpuMonitor none({}, nvml("fake_nvml"), kOften);
    std::this_thread::sleep_for(20 * kOften);  // long enough for readings, if there were any
    for (const GpuMonitor* watch : {&noFile, &notLoaded, &noGpu, &none}) {
        EXPECT_FALSE(watch->last());
        EXPECT_FALSE(watch->utilisation());
    }
}

TEST(GpuReadingText, leavesOutUnknownGauges) {
    GpuReading reading;
    EXPECT_EQ(gpuReadingText(reading), "");
    reading.utilisationPercent = 87;
    reading.temperatureCelsius = 61;
    EXPECT_EQ(gpuReadingText(reading), "GPU 87 %, 61 °C");
    reading.usedBytes = 12'300'000'000;
    reading.freeBytes = 67'300'000'000;
    reading.clockMegahertz = 1980;
    reading.powerWatts = 412.3;
    EXPECT_EQ(gpuReadingText(reading), "GPU 87 %, 12.3 of 79.6 GB, 1980 MHz, 412 W, 61 °C");
}

}  // namespace
}  // namespace threefold
