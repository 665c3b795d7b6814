#include "engine/devices/gpu_presence.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "engine/formats/files/file_bytes.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemRootVariable = "THREEFOLD_SYSTEM_ROOT";
constexpr std::string_view kNvidia = "0x10de";
constexpr std::string_view kDisplayController = "0x03";  // excludes NVIDIA's bridges and sound

/// Accepts "nvidia0", not "nvidiactl".
bool isDeviceFile(const fs::path& file) {
    constexpr std::string_view kPrefix = "nvidia";
    const std::string name = file.filename().string();
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

}  // namespace

fs::path systemRoot() {
    const char* root = std::getenv(kSystemRootVariable);
    return root != nullptr && *root != '\0' ? root : "/";
}

bool hasNvidiaGpu(const fs::path& root) {
    return std::ranges::any_of(tryListFolder(root / "dev"), isDeviceFile) ||
           std::ranges::any_of(tryListFolder(root / "sys/bus/pci/devices"), isNvidiaDisplay);
}

}  // namespace threefold
