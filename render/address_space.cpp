#include "render/address_space.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/error.h"
#include "engine/units.h"

namespace threefold::render {
namespace {

/// Address space that a software driver needs. Measured with lavapipe of Mesa 22.3 on 2 cores:
/// `threefold figure` took 830 MiB from the instance to the last picture, reserved pages included.
/// With less than 270 MiB the command crashed or hung, with less than 550 MiB it could fail.
std::uint64_t neededBytes() {
    constexpr std::uint64_t kDriver = 512 * kBytesPerMebibyte;
    // Stack of a thread and its arena of malloc().
    constexpr std::uint64_t kThread = 72 * kBytesPerMebibyte;
    constexpr unsigned kMaxThreads = 16;  // of lavapipe
    return kDriver + kThread * std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
}

std::uint64_t takenBytes() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

void requireAddressSpace() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    const std::uint64_t taken = takenBytes();
    const std::uint64_t left = limit.rlim_cur > taken ? limit.rlim_cur - taken : 0;
    const std::uint64_t needed = neededBytes();
    if (left >= needed) return;
    throw DeviceError({"Vulkan", "",
                       fmt::format("drawing needs {} MiB of address space, the limit leaves {} MiB",
                                   needed / kBytesPerMebibyte, left / kBytesPerMebibyte),
                       "Raise the limit of `ulimit -v`."});
}

}  // namespace threefold::render
