#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "engine/comparison/comparison.h"

namespace threefold {

/// Writes compare.html into `folder`, made if missing: one file with tables, scatter and histogram
/// of F(τ), and pictures of the samples that differ most; `made` are the comparisons of each
/// further run with the first. With `figures` > 0 also figures/NAME.png of as many samples, and
/// figures/sheet.svg of all of them with captions. Photographs and truths are shown where the
/// list's lines, with `imageRoot`, still lead to them. Returns the page. Throws IoError.
std::filesystem::path writeComparison(const std::filesystem::path& folder,
                                      const std::vector<ComparedRun>& runs,
                                      const std::vector<Comparison>& made, std::size_t figures,
                                      const std::filesystem::path& imageRoot);

}  // namespace threefold
