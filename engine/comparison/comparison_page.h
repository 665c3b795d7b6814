#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/comparison/compared_run.h"
#include "engine/comparison/comparison.h"

namespace threefold {

/// Name and first bytes of writeComparisonPage()'s page.
inline constexpr std::string_view kComparisonPageName = "compare.html";
inline constexpr std::string_view kComparisonPageStart =
    "<!DOCTYPE html>\n<html lang=\"en\" data-threefold=\"comparison\">\n";

/// Writes kComparisonPageName into `folder`, which is created if missing: one file with tables,
/// scatter plot and histogram of F(τ), and pictures of the samples that differ most. `comparisons`:
/// one comparison of the first run with each further run. If `figureCount` is positive, also writes
/// figures/NAME.png of that many samples, and figures/sheet.svg of all of them with captions. Shows
/// photographs and truths if they can still be found by the list's names and `imageRoot` (see
/// sampleOfRecord()). Returns the page's path. Throws IoError; exceptions of ComparedRun::readMesh
/// propagate.
std::filesystem::path writeComparisonPage(const std::filesystem::path& folder,
                                          const std::vector<ComparedRun>& runs,
                                          const std::vector<Comparison>& comparisons,
                                          std::size_t figureCount,
                                          const std::filesystem::path& imageRoot);

}  // namespace threefold
