#include "app/console/peak_memory.h"

#include <sys/resource.h>

namespace threefold {

double peakMemoryMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    constexpr double kBytesInKibibyte = 1024.0;
    constexpr double kBytesInMegabyte = 1e6;
    return static_cast<double>(usage.ru_maxrss) * kBytesInKibibyte / kBytesInMegabyte;
}

}  // namespace threefold
