#include "engine/system/process_memory.h"

#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace threefold {

std::optional<std::uint64_t> residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t addressSpacePages = 0;
    std::uint64_t residentPages = 0;
    if (!(file >> addressSpacePages >> residentPages)) return std::nullopt;
    return residentPages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<std::uint64_t> peakResidentBytes() {
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
    constexpr std::uint64_t kBytesInKibibyte = 1024;
    return static_cast<std::uint64_t>(usage.ru_maxrss) * kBytesInKibibyte;
}

}  // namespace threefold
