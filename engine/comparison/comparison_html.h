#pragma once

#include <string>
#include <vector>

#include "engine/comparison/compared_run.h"
#include "engine/comparison/comparison.h"
#include "engine/comparison/comparison_tables.h"

/// Parts of writeComparisonPage()'s page, as markup in the layout of the report. All names are
/// escaped.
namespace threefold {

/// Markup of a name: a button that opens the result `id` in the page's dialog; plain text if `id`
/// is empty.
std::string nameHtml(const std::string& name, const std::string& id);

/// Markup of a section with a table; highlighted cells are coloured.
std::string tableHtml(const ComparisonTable& table);

/// Markup of the headline: quality in A and B with the difference and its interval, then numbers of
/// better and worse samples, then times.
std::string tilesHtml(const Comparison& comparison);

/// Measures of each category, A beside B.
std::string categoriesHtml(const Comparison& comparison);

/// Measures of the samples that differ most, at most kComparedRows. `results`: for each of the
/// first pairs, the id of the viewer's result that a click on the sample's name opens; empty: none.
std::string samplesHtml(const ComparedRun& first, const Comparison& comparison,
                        const std::vector<std::string>& results);
inline constexpr std::size_t kComparedRows = 500;

/// Scatter plot and histogram of F(τ).
std::string chartsHtml(const ComparedRun& first, const std::vector<SamplePair>& pairs);

}  // namespace threefold
