#include "cuda/backend/driver_version.h"

#include <dlfcn.h>

#include <array>
#include <fstream>
#include <memory>
#include <sstream>

#include "engine/devices/gpu_monitor.h"

namespace threefold::cuda {
namespace {

// The part of NVML's C interface that is used here. Its functions return 0 on success.
using NvmlCall = int (*)();
using NvmlDriverVersion = int (*)(char* version, unsigned length);
constexpr std::size_t kNvmlVersionBytes = 80;

struct CloseLibrary {
    void operator()(void* library) const { dlclose(library); }
};

std::string fromNvml() {
    const std::unique_ptr<void, CloseLibrary> library(dlopen(kNvmlLibrary, RTLD_NOW | RTLD_LOCAL));
    if (!library) return {};
    const auto start = reinterpret_cast<NvmlCall>(dlsym(library.get(), "nvmlInit_v2"));
    const auto stop = reinterpret_cast<NvmlCall>(dlsym(library.get(), "nvmlShutdown"));
    const auto version =
        reinterpret_cast<NvmlDriverVersion>(dlsym(library.get(), "nvmlSystemGetDriverVersion"));
    if (start == nullptr || stop == nullptr || version == nullptr || start() != 0) return {};
    std::array<char, kNvmlVersionBytes> text{};
    const bool known = version(text.data(), text.size() - 1) == 0;
    stop();
    return known ? std::string(text.data()) : std::string();
}

}  // namespace

std::string driverVersionFrom(std::string_view text) {
    // The first word like 580.65 or 580.65.06.
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        const std::size_t point = word.find_first_not_of("0123456789");
        if (point > 0 && point < word.size() && word[point] == '.' &&
            word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    }
    return {};
}

std::string driverVersion() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    if (file && std::getline(file, line))
        if (std::string version = driverVersionFrom(line); !version.empty()) return version;
    if (std::string version = fromNvml(); !version.empty()) return version;
    return "unknown";
}

}  // namespace threefold::cuda
