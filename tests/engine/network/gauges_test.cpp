#include "engine/network/gauges.h"

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

/// Waits for as many readings.
GpuUtilisation waitFor(const GaugeWatch& watch, std::size_t readings) {
    const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < late) {
        if (const auto found = watch.utilisation(); found && found->readings >= readings)
            return *found;
        std::this_thread::sleep_for(kOften);
    }
    ADD_FAILURE() << "there were no readings";
    return {};
}

TEST(GaugeWatch, readsTheDriversGauges) {
    const GaugeWatch watch({"0000:87:00.0"}, nvml("fake_nvml"), kOften);
    const GpuUtilisation busy = waitFor(watch, 4);
    EXPECT_EQ(busy.lowest, 87);
    EXPECT_NEAR(busy.mean, 90, 1) << "every third look is 10 % more";
    const GaugeReading reading = watch.last().value();
    EXPECT_EQ(reading.memoryUsed, 12'300'000'000U);
    EXPECT_EQ(reading.memoryFree, 67'700'000'000U);
    EXPECT_EQ(reading.megahertz, 1980);
    EXPECT_DOUBLE_EQ(reading.watts.value(), 412.3);
    EXPECT_FALSE(reading.celsius) << "this GPU has no such gauge";
}

TEST(GaugeWatch, givesMeansAndSums_ofSeveralGpus) {
    const GaugeWatch watch({"0000:20:00.0", "0000:40:00.0"}, nvml("fake_nvml"), kOften);
    const GpuUtilisation busy = waitFor(watch, 2);
    EXPECT_EQ(busy.lowest, 30);
    EXPECT_NEAR(busy.mean, 33, 1);
    EXPECT_EQ(watch.last()->memoryUsed, 24'600'000'000U);
    EXPECT_EQ(watch.last()->megahertz, 1980);
    EXPECT_DOUBLE_EQ(watch.last()->watts.value(), 824.6);
}

TEST(GaugeWatch, readsOtherGauges_whenTheLibraryLacksAFunction) {
    const GaugeWatch watch({"0000:87:00.0"}, nvml("fake_nvml_old"), kOften);
    waitFor(watch, 1);
    EXPECT_FALSE(watch.last()->watts);
    EXPECT_EQ(watch.last()->megahertz, 1980);
}

TEST(GaugeWatch, readsNothing_whenThereIsNoDriverOrNoSuchGpu) {
    const std::vector<std::string> one = {"0000:87:00.0"};
    const GaugeWatch noFile(one, "/no/such/libnvidia-ml.so.1", kOften);
    const GaugeWatch notLoaded(one, nvml("fake_nvml_broken"), kOften);
    const GaugeWatch noGpu({"0000:00:00.0"}, nvml("fake_nvml"), kOften);
    const GaugeWatch none({}, nvml("fake_nvml"), kOften);
    std::this_thread::sleep_for(20 * kOften);  // readings would come within this time
    for (const GaugeWatch* watch : {&noFile, &notLoaded, &noGpu, &none}) {
        EXPECT_FALSE(watch->last());
        EXPECT_FALSE(watch->utilisation());
    }
}

TEST(GaugesText, leavesOutUnknownGauges) {
    GaugeReading reading;
    EXPECT_EQ(gaugesText(reading), "");
    reading.utilisation = 87;
    reading.celsius = 61;
    EXPECT_EQ(gaugesText(reading), "GPU 87 %, 61 °C");
    reading.memoryUsed = 12'300'000'000;
    reading.memoryFree = 67'300'000'000;
    reading.megahertz = 1980;
    reading.watts = 412.3;
    EXPECT_EQ(gaugesText(reading), "GPU 87 %, 12.3 of 79.6 GB, 1980 MHz, 412 W, 61 °C");
}

}  // namespace
}  // namespace threefold
