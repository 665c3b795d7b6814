#include "app/compare/outcome.h"

#include <vector>

#include <fmt/format.h>

#include "engine/comparison/comparison_tables.h"
#include "engine/text_table.h"

namespace threefold {

std::string comparisonText(const ComparedRun& first, const ComparedRun& second,
                           const Comparison& made) {
    const auto side = [](const char* letter, const ComparedRun& run) {
        return fmt::format("{}  {}{}{}\n", letter, run.name,
                           run.run.about.backend.empty() ? "" : ": ", run.run.about.backend);
    };
    std::string text = side("A", first) + side("B", second);
    for (const std::string& remark : made.remarks) text += fmt::format("   {}\n", remark);
    text += fmt::format("\n{} samples, {} protocol; × is how many times as fast B is\n",
                        made.pairs.size(), protocolName(made.protocol));
    for (const ComparisonTable& shown : comparisonTables(first, made)) {
        Table table(shown.columns);
        for (const std::vector<std::string>& row : shown.rows) table.add(row);
        text +=
            fmt::format("\n{}{}{}", shown.title, shown.title.empty() ? "" : "\n", table.text("  "));
        for (const std::string& note : shown.notes) text += fmt::format("  {}\n", note);
    }
    return text;
}

}  // namespace threefold
