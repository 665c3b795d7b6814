#include "app/console/process.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "engine/system/process_memory.h"

namespace threefold {

void keepStandardStreamsOpen() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // Standard output is opened for reading only: printing a result must fail, not vanish.
        // open() takes the lowest free descriptor: the closed one.
        const int access = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
        if (open("/dev/null", access) < 0) return;
    }
}

void letWaitingThreadsSleep(char** argv) {
    constexpr const char* kSpins = "GOMP_SPINCOUNT";
    if (std::getenv(kSpins) != nullptr || std::getenv("OMP_WAIT_POLICY") != nullptr) return;
    // Execute by path, not as /proc/self/exe, which process lists would show.
    std::error_code failure;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
    if (failure || ::setenv(kSpins, "3000", 1) != 0) return;
    ::execv(program.c_str(), argv);
}

double peakMemoryMegabytes() {
    constexpr double kBytesInMegabyte = 1e6;
    return static_cast<double>(peakResidentBytes().value_or(0)) / kBytesInMegabyte;
}

}  // namespace threefold
