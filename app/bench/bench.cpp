#include "app/bench/bench.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/console/output.h"
#include "app/options/value_option.h"

namespace threefold {

void addRunOptions(CLI::App& command, int& runs, int& warmup) {
    constexpr int kMostRuns = 100000;
    addValue(command, "--runs", runs, "N", fmt::format("Counted runs, {} if not given", runs))
        ->check(CLI::Range(1, kMostRuns));
    addValue(command, "--warmup", warmup, "N",
             fmt::format("Runs before those, {} if not given", warmup))
        ->check(CLI::Range(0, kMostRuns));
}

namespace {

/// The table's header and rows, each a line.
std::string tableText(const BenchReport& report) {
    std::vector<Table::Align> columns;
    std::vector<std::string> header;
    if (!report.rows.empty()) {
        for (const BenchRow::Cell& cell : report.rows.front().cells) {
            columns.push_back(cell.align);
            header.push_back(cell.header);
        }
    }
    Table table(columns);
    table.add(header);
    for (const BenchRow& row : report.rows) {
        std::vector<std::string> texts;
        for (const BenchRow::Cell& cell : row.cells) texts.push_back(cell.text);
        table.add(std::move(texts));
    }
    return table.text();
}

nlohmann::ordered_json jsonOf(const BenchReport& report) {
    nlohmann::ordered_json json = report.before;
    nlohmann::ordered_json& rows = json[report.rowsKey] = nlohmann::ordered_json::array();
    for (const BenchRow& row : report.rows) rows.push_back(row.json);
    if (!report.totalKey.empty()) {
        rows.erase(rows.size() - 1);
        json[report.totalKey] = report.rows.back().json;
    }
    for (const auto& [key, value] : report.after.items()) json[key] = value;
    return json;
}

/// `text` without its first lines.
std::string_view withoutLines(std::string_view text, std::size_t lines) {
    for (; lines > 0; --lines) text.remove_prefix(text.find('\n') + 1);
    return text;
}

}  // namespace

std::string BenchText::next(const BenchReport& report, bool complete) {
    const auto line = [](const nlohmann::ordered_json& json) {
        constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
        return json.dump(-1, ' ', false, kReplace) + '\n';
    };
    std::string text;
    if (!begun_) text = jsonLines_ ? line(report.before) : report.heading + '\n';
    if (jsonLines_) {
        for (std::size_t i = rows_; i < report.rows.size(); ++i) text += line(report.rows[i].json);
        if (complete && !report.after.empty()) text += line(report.after);
    } else {
        // Later rows may widen a column: earlier ones stay as they were printed.
        text += withoutLines(tableText(report), begun_ ? rows_ + 1 : 0);
        if (complete) text += report.remarks;
    }
    begun_ = true;
    rows_ = report.rows.size();
    return text;
}

void print(const BenchReport& report, bool json) {
    json ? printJson(jsonOf(report)) : printText(BenchText(false).next(report, true));
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

double median(const std::vector<double>& values) {
    return quantile(values, 0.5);
}

double percentile95(const std::vector<double>& values) {
    return quantile(values, 0.95);
}

}  // namespace threefold
