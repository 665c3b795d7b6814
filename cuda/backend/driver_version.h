#pragma once

#include <string>
#include <string_view>

namespace threefold::cuda {

/// The driver's own number, "580.65.06", from the text of /proc/driver/nvidia/version; empty where
/// it says none.
std::string driverVersionFrom(std::string_view text);

/// The same of this machine: from /proc, else from NVML, which is opened only for that. "unknown"
/// where neither says.
std::string driverVersion();

}  // namespace threefold::cuda
