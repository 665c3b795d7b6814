#include "engine/system/process_age.h"

#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include <unistd.h>

namespace threefold {

std::optional<double> processAgeMilliseconds() {
    std::ifstream file("/proc/self/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    // The second field is the process name in parentheses and may hold blanks; the start time is
    // the 22nd.
    const std::size_t nameEnd = text.rfind(')');
    if (nameEnd == std::string::npos) return std::nullopt;
    std::istringstream fields(text.substr(nameEnd + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field) fields >> skipped;
    double startTicks = 0;
    fields >> startTicks;
    timespec now{};
    if (!fields || ::clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
    const double started = startTicks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started) *
           1e3;
}

}  // namespace threefold
