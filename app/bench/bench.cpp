#include "app/bench/bench.h"

#include <string_view>

#include <fmt/format.h>

#include "app/configuration/number_range.h"
#include "app/console/output.h"
#include "app/options/add_option.h"
#include "engine/json_text.h"
#include "engine/text_table.h"

namespace threefold {

void addRunOptions(CLI::App& command, int& runs, int& warmup) {
    constexpr int kMaxRuns = 100000;
    addValue(command, "--runs", runs, "N", fmt::format("Counted runs, {} if not given", runs))
        ->check(numberValidator(NumberRange::wholeNumber(1, kMaxRuns)));
    addValue(command, "--warmup", warmup, "N",
             fmt::format("Warm-up runs, not counted; {} if not given", warmup))
        ->check(numberValidator(NumberRange::wholeNumber(0, kMaxRuns)));
}

namespace {

/// The table's header and rows, each a line.
std::string tableText(const BenchReport& report) {
    std::string columns;
    std::vector<std::string> header;
    if (!report.rows.empty())
        for (const BenchRow::Cell& cell : report.rows.front().cells) {
            columns.push_back(cell.align == BenchRow::Align::left ? 'l' : 'r');
            header.push_back(cell.header);
        }
    TextTable table(columns);
    table.add(header);
    for (const BenchRow& row : report.rows) {
        std::vector<std::string> texts;
        for (const BenchRow::Cell& cell : row.cells) texts.push_back(cell.text);
        table.add(std::move(texts));
    }
    return table.text();
}

nlohmann::ordered_json reportJson(const BenchReport& report) {
    nlohmann::ordered_json json = report.jsonHeader;
    nlohmann::ordered_json& rows = json[report.rowsKey] = jsonArray(report.rows, &BenchRow::json);
    if (!report.totalKey.empty()) {
        rows.erase(rows.size() - 1);
        json[report.totalKey] = report.rows.back().json;
    }
    for (const auto& [key, value] : report.jsonFooter.items()) json[key] = value;
    return json;
}

/// Returns `text` without its first lines.
std::string_view withoutLines(std::string_view text, std::size_t lines) {
    for (; lines > 0; --lines) text.remove_prefix(text.find('\n') + 1);
    return text;
}

}  // namespace

std::string BenchWriter::append(const BenchReport& report, bool complete) {
    const auto line = [](const nlohmann::ordered_json& json) { return dumpJson(json) + '\n'; };
    std::string text;
    if (!begun_) text = jsonLines_ ? line(report.jsonHeader) : report.heading + '\n';
    if (jsonLines_) {
        for (std::size_t i = rows_; i < report.rows.size(); ++i) text += line(report.rows[i].json);
        if (complete && !report.jsonFooter.empty()) text += line(report.jsonFooter);
    } else {
        // Later rows may widen a column; rows already printed stay unchanged.
        text += withoutLines(tableText(report), begun_ ? rows_ + 1 : 0);
        if (complete) text += report.remarks;
    }
    begun_ = true;
    rows_ = report.rows.size();
    return text;
}

void print(const BenchReport& report, bool json) {
    if (json)
        printJson(reportJson(report));
    else
        printText(BenchWriter(false).append(report, true));
}

}  // namespace threefold
