#include "engine/devices/gpu_presence.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemRootVariable = "THREEFOLD_SYSTEM_ROOT";
constexpr std::string_view kNvidia = "0x10de";
constexpr std::string_view kDisplayController = "0x03";  // excludes NVIDIA's bridges and sound

/// Accepts "nvidia0", not "nvidiactl".
bool isDeviceFile(const std::string& name) {
    constexpr std::string_view kPrefix = "nvidia";
    return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
           name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

bool isNvidiaDisplay(const fs::path& device) {
    std::string vendor;
    std::string deviceClass;
    std::ifstream(device / "vendor") >> vendor;
    std::ifstream(device / "class") >> deviceClass;
    return vendor == kNvidia && deviceClass.starts_with(kDisplayController);
}

bool anyIn(const fs::path& folder, const auto& matches) {
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        if (matches(entry->path())) return true;
    return false;
}

}  // namespace

fs::path systemRoot() {
    const char* root = std::getenv(kSystemRootVariable);
    return root != nullptr && *root != '\0' ? root : "/";
}

bool hasNvidiaGpu(const fs::path& root) {
    return anyIn(root / "dev",
                 [](const fs::path& file) { return isDeviceFile(file.filename().string()); }) ||
           anyIn(root / "sys/bus/pci/devices", isNvidiaDisplay);
}

}  // namespace threefold
