#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace threefold::test {

/// Path and content of every final file of a run, without values that reports.h lets differ between
/// two runs of the same records: values of kVolatileKeys, columns that end in
/// kVolatileColumnEnding, combined_timings.txt. Leaves out the journal, which describes sessions,
/// and incomplete files of a killed process.
std::vector<std::pair<std::string, std::string>> maskedFiles(const std::filesystem::path& folder);

}  // namespace threefold::test
