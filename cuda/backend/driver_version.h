#pragma once

#include <string>
#include <string_view>

namespace threefold::cuda {

/// The driver's own number, "580.65.06", from the text of /proc/driver/nvidia/version; empty if
/// there is none.
std::string driverVersionFrom(std::string_view text);

/// This machine's, from /proc or else from NVML; "unknown" if neither has it.
std::string driverVersion();

}  // namespace threefold::cuda
