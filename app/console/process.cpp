#include "app/console/process.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace threefold {
namespace {

constexpr double kBytesInMegabyte = 1e6;

}  // namespace

void keepStandardStreamsOpen() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // Read-only even for outputs: printing a result must fail, not vanish. open() takes the
        // lowest free descriptor: the closed one.
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
