#include "app/compare/comparison_text.h"

#include <vector>

#include <fmt/format.h>

#include "engine/comparison/comparison_tables.h"
#include "engine/comparison/comparison_texts.h"
#include "engine/text_table.h"

namespace threefold {

std::string comparisonText(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& comparison) {
    const auto side = [](const char* letter, const ComparedRun& run) {
        return fmt::format("{}  {}{}{}\n", letter, run.name,
                           run.evaluation.description.backendDescription.empty() ? "" : ": ",
                           run.evaluation.description.backendDescription);
    };
    std::string text = side("A", first) + side("B", second);
    for (const ComparisonRemark& remark : comparison.remarks)
        text += fmt::format("   {}\n", remark.text);
    text += fmt::format("\n{} samples, {} protocol; ×: speed of B divided by that of A\n{}\n",
                        comparison.pairs.size(), protocolName(comparison.protocol),
                        verdictText(comparison));
    for (const ComparisonTable& shown : comparisonTables(first, comparison)) {
        TextTable table(shown.columnAlignments);
        for (const std::vector<std::string>& row : shown.rows) table.add(row);
        text += fmt::format("\n{}\n{}", shown.title(), table.text("  "));
        for (const std::string& note : shown.notes) text += fmt::format("  {}\n", note);
    }
    return text;
}

}  // namespace threefold
