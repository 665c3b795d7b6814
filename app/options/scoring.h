#pragma once

#include <string>
#include <vector>

#include "engine/metrics/scores.h"

namespace threefold {

/// The protocols that a word of it asks for, in the order of all tables. Throws UsageError.
std::vector<Protocol> protocolsOf(const std::string& word);

}  // namespace threefold
