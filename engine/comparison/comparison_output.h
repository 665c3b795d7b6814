#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/comparison/comparison.h"

namespace threefold {

/// A table of a comparison as text and page show it; the first row names the columns.
struct ComparisonTable {
    std::string title;    ///< may be empty
    std::string columns;  ///< as Table has them
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes;  ///< sentences below it
};

/// Times and measures; agreement; categories, where there are several; samples that differ most.
std::vector<ComparisonTable> comparisonTables(const ComparedRun& first, const Comparison& made);

/// What comparisonTables() shows, with all digits and all samples, by these names: `a`, `b`,
/// `times`, `all`, `categories`, `meshes`, `samples`; statistics as in report.json.
nlohmann::ordered_json comparisonJson(const ComparedRun& first, const ComparedRun& second,
                                      const Comparison& made);

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
