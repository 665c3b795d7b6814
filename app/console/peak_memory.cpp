#include "app/console/peak_memory.h"

#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace threefold {

namespace {

constexpr double kBytesInMegabyte = 1e6;

}  // namespace

double peakMemoryMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    constexpr double kBytesInKibibyte = 1024.0;
    return static_cast<double>(usage.ru_maxrss) * kBytesInKibibyte / kBytesInMegabyte;
}

double memoryMegabytes() {
    double pages = 0;  // of the whole address space, then of what is in memory
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / kBytesInMegabyte;
}

}  // namespace threefold
