#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/comparison/comparison.h"
#include "engine/text_table.h"

namespace threefold {

/// A table of a comparison as text and page show it; the first row names the columns.
struct ComparisonTable {
    std::string title;  ///< may be empty
    std::vector<Table::Align> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes;  ///< sentences below it
};

/// Times and measures; agreement; categories, where there are several; samples that differ most.
std::vector<ComparisonTable> comparisonTables(const ComparedRun& first, const Comparison& made);

/// What comparisonTables() shows, with all digits and all samples, by these names: `a`, `b`,
/// `times`, `all`, `categories`, `meshes`, `samples`; statistics as in report.json.
nlohmann::ordered_json comparisonJson(const ComparedRun& first, const ComparedRun& second,
                                      const Comparison& made);

}  // namespace threefold
