#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/comparison/compared_run.h"
#include "engine/comparison/comparison.h"
#include "engine/measures/measure_table.h"
#include "engine/numerics/statistics.h"

namespace threefold {

/// A table of a comparison, for text and page. The first row names the columns.
struct ComparisonTable {
    enum class Kind { quality, times, networkSteps, categories, differingSamples };
    Kind kind = Kind::quality;
    std::string columnAlignments;  ///< one letter per column, see TextTable
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> notes;  ///< sentences below the table
    /// A cell to colour: a difference, for better or worse, whose interval excludes zero.
    struct HighlightedCell {
        std::size_t row = 0;
        std::size_t column = 0;
        bool isBetter = false;
    };
    std::vector<HighlightedCell> highlightedCells = {};

    std::string_view title() const;  ///< "quality", "stages of the network"
};

/// Name of a compared run in tables and pictures, by its index: "A", …, "Z", "AA", "AB", …
std::string runLetter(std::size_t index);

/// The title of a measure with the unit of its displayed numbers: "Chamfer distance, 10⁻⁴".
std::string titleWithUnit(const MeasureDescription& measure);
/// The 95 % interval of a mean difference: "−0.02 … +0.01"; "–" for fewer than four samples.
std::string intervalText(Unit unit, const Statistics& difference);

/// Tables of a comparison: quality; times; times of the network's steps, if there are any;
/// categories, if there are several; samples that differ most.
std::vector<ComparisonTable> comparisonTables(const ComparedRun& first,
                                              const Comparison& comparison);

/// The data of comparisonTables() as JSON, with all digits and all samples. Among its keys are `a`
/// and `b` (each with `network_ms`, `total_ms` and `fit_ms`), `one_fitted`, `times`, `all`,
/// `categories`, `meshes` and `samples`. Statistics have the form that they have in report.json.
nlohmann::ordered_json comparisonJson(const ComparedRun& first, const ComparedRun& second,
                                      const Comparison& comparison);

}  // namespace threefold
