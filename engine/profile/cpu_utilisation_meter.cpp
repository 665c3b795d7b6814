#include "engine/profile/cpu_utilisation_meter.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <sched.h>

#include "engine/profile/stopwatch.h"

namespace threefold {

CpuUtilisationMeter::CpuUtilisationMeter(int cores, std::function<Times()> times)
    : cores_(std::max(cores, 1)), times_(std::move(times)), previous_(times_()) {}

std::optional<double> CpuUtilisationMeter::read() {
    constexpr double kPercent = 100;
    const Times now = times_();
    const double wall = now.wall - previous_.wall;
    if (wall <= 0) return std::nullopt;
    const double coreTime = now.onCores - previous_.onCores;
    previous_ = now;
    return kPercent * std::clamp(coreTime / (wall * cores_), 0.0, 1.0);
}

int CpuUtilisationMeter::usableCores() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    // sched_getaffinity() fails on machines with more processors than a cpu_set_t holds.
    const int count = sched_getaffinity(0, sizeof allowed, &allowed) == 0
                          ? CPU_COUNT(&allowed)
                          : static_cast<int>(std::thread::hardware_concurrency());
    return std::max(count, 1);
}

CpuUtilisationMeter::Times CpuUtilisationMeter::timesNow() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return {processCpuMilliseconds(), std::chrono::duration<double, std::milli>(now).count()};
}

}  // namespace threefold
