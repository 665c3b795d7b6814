#include "engine/profile/stopwatch.h"

#include <ctime>

namespace threefold {
namespace {

double millisecondsOf(clockid_t clock) {
    constexpr double kNanosecondsInMillisecond = 1e6;
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * kMillisecondsPerSecond +
           static_cast<double>(time.tv_nsec) / kNanosecondsInMillisecond;
}

}  // namespace

double threadCpuMilliseconds() {
    return millisecondsOf(CLOCK_THREAD_CPUTIME_ID);
}

double processCpuMilliseconds() {
    return millisecondsOf(CLOCK_PROCESS_CPUTIME_ID);
}

}  // namespace threefold
