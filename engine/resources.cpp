#include "engine/resources.h"

#include <dlfcn.h>

#include <cstdlib>
#include <system_error>

#include "engine/error.h"

namespace threefold {

namespace {

const char kModuleAnchor = 0;

/// The folder of the program or shared library that contains this code.
std::filesystem::path moduleFolder() {
    Dl_info module{};
    if (::dladdr(&kModuleAnchor, &module) == 0) return {};
    return std::filesystem::path(module.dli_fname).parent_path();
}

}  // namespace

std::filesystem::path resourceFolder() {
    namespace fs = std::filesystem;
    std::error_code failure;
    const char* chosen = std::getenv("THREEFOLD_RESOURCES");
    const fs::path program = fs::read_symlink("/proc/self/exe", failure);
    fs::path folder = moduleFolder() / "share" / "threefold";
    if (chosen != nullptr && *chosen != '\0')
        folder = chosen;
    else if (!fs::is_directory(folder, failure))
        folder = program.parent_path().parent_path() / "share" / "threefold";
    if (!fs::is_directory(folder / "models", failure)) {
        throw IoError({folder.string(), "", "no folder with Threefold's models and samples",
                       "Set THREEFOLD_RESOURCES to a folder share/threefold of a build, or "
                       "reinstall Threefold."});
    }
    return folder;
}

std::filesystem::path defaultModelFile() {
    return resourceFolder() / "models" / "default.safetensors";
}

std::filesystem::path bundledSamplesFolder() {
    return resourceFolder() / "samples";
}

std::filesystem::path xdgFolder(const char* variable, const char* homeSubfolder) {
    const auto absolute = [](const char* name) {
        const char* const value = std::getenv(name);
        const std::filesystem::path path = value == nullptr ? "" : value;
        return path.is_absolute() ? path : std::filesystem::path();
    };
    if (const auto base = absolute(variable); !base.empty()) return base / "threefold";
    const auto home = absolute("HOME");
    return home.empty() ? home : home / homeSubfolder / "threefold";
}

}  // namespace threefold
