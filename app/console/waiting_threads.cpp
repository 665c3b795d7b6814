#include "app/console/waiting_threads.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace threefold {

void letWaitingThreadsSleep(char** argv) {
    constexpr const char* kSpins = "GOMP_SPINCOUNT";
    if (std::getenv(kSpins) != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
    // Started under its own name, not as /proc/self/exe: that is what process lists show.
    std::error_code failure;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
    if (failure || ::setenv(kSpins, "3000", 1) != 0) return;
    ::execv(program.c_str(), argv);
}

}  // namespace threefold
