#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace threefold::test {

/// Every final file of a run by its path, with what it holds, but for what reports.h says may
/// differ between two runs of the same records: the values of kVolatileKeys, columns that end in
/// kVolatileColumnEnding, combined_timings.txt. The journal, which tells of sessions, and what a
/// killed process left half written are not among them.
std::vector<std::pair<std::string, std::string>> maskedFiles(const std::filesystem::path& folder);

}  // namespace threefold::test
