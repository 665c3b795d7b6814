#include "engine/evaluation/machine.h"

#include <omp.h>

#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "engine/compute/processor.h"
#include "engine/network/cuda_plugin.h"
#include "engine/network/onednn.h"

namespace threefold {
namespace {

std::string memorySize() {
    constexpr double kBytesInGibibyte = 1073741824.0;
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0) return {};
    return fmt::format("{:.1f} GiB", static_cast<double>(pages) * static_cast<double>(pageBytes) /
                                         kBytesInGibibyte);
}

/// PRETTY_NAME of os-release(5), without its quotes.
std::string distribution() {
    constexpr std::string_view kKey = "PRETTY_NAME=";
    std::ifstream stream("/etc/os-release");
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(kKey)) continue;
        std::string name = line.substr(kKey.size());
        std::erase_if(name, [](char c) { return c == '"' || c == '\''; });
        return name;
    }
    return {};
}

std::string systemName() {
    std::string name = distribution();
    utsname kernel{};
    if (::uname(&kernel) != 0) return name;
    if (!name.empty()) name += ", ";
    return name + kernel.sysname + " " + kernel.release;
}

}  // namespace

MachineDescription describeMachine(int threads, const GpuDescription* gpu) {
    MachineDescription machine{.processor = processorName(),
                               .instructions = onednn::instructions(),
                               .threads = threads > 0 ? threads : omp_get_max_threads(),
                               .memory = memorySize(),
                               .system = systemName(),
                               .gpu = {},
                               .driver = {},
                               .libraries = "oneDNN " + onednn::version()};
    if (gpu != nullptr) {
        machine.gpu = gpu->name;
        machine.driver = gpu->driver;
        machine.libraries = gpu->libraries + ", " + machine.libraries;
    }
    return machine;
}

}  // namespace threefold
