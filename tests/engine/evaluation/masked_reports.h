#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace threefold::test {

/// Path and content of every file of a run, sorted by path. Masks the values that write_reports.h
/// lets differ between two runs of equal records: values of kVolatileKeys and columns that end in
/// kVolatileColumnEnding. Leaves out combined_timings.txt, which may differ everywhere, and the
/// journal, which describes sessions.
std::vector<std::pair<std::string, std::string>> maskedFiles(const std::filesystem::path& folder);

}  // namespace threefold::test
