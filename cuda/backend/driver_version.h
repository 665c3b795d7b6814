#pragma once

#include <string>
#include <string_view>

namespace threefold::cuda {

/// Driver version, such as "580.65.06", from the text of /proc/driver/nvidia/version; empty if the
/// text has none.
std::string driverVersionFrom(std::string_view text);

/// Driver version of this machine, from /proc, else from NVML, else "unknown".
std::string driverVersion();

}  // namespace threefold::cuda
