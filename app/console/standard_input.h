#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

namespace threefold {

/// Reads all of standard input. Throws IoError (unreadable, or more than `maxBytes` bytes),
/// Cancelled.
std::string readStandardInput(std::uintmax_t maxBytes, const std::stop_token& cancel = {});

}  // namespace threefold
