#include "tests/engine/evaluation/masked_reports.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/report/write_reports.h"
#include "engine/evaluation/run/output_files.h"
#include "tests/engine/evaluation/small_data_set.h"

namespace threefold::test {
namespace {

using Json = nlohmann::ordered_json;

void mask(Json& node) {
    if (node.is_array()) {
        for (Json& item : node) mask(item);
    }
    if (!node.is_object()) return;
    for (auto& [key, value] : node.items()) {
        const bool isVolatile = std::find(std::begin(kVolatileKeys), std::end(kVolatileKeys),
                                          key) != std::end(kVolatileKeys);
        if (isVolatile) {
            value = "masked";
        } else {
            mask(value);
        }
    }
}

std::string maskedJson(const std::string& text) {
    Json report = Json::parse(text);
    mask(report);
    return report.dump();
}

std::string maskedHtml(std::string text) {
    const std::string mark = "id=\"data\"";
    const std::size_t begin = text.find('>', text.find(mark)) + 1;
    const std::size_t end = text.find("</script>", begin);
    EXPECT_NE(end, std::string::npos);
    return text.replace(begin, end - begin, maskedJson(text.substr(begin, end - begin)));
}

/// Splits a line into cells at the commas outside quotes. Cells keep their quotes.
std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

std::string maskedCsv(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = cellsOf(line);
    std::string masked = line + '\n';
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = cellsOf(line);
        EXPECT_EQ(cells.size(), names.size()) << line;
        for (std::size_t i = 0; i < std::min(cells.size(), names.size()); ++i) {
            masked += (names[i].ends_with(kVolatileColumnEnding) ? "masked" : cells[i]) + ',';
        }
        masked += '\n';
    }
    return masked;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> maskedFiles(const std::filesystem::path& folder) {
    auto files = contentsOf(folder);
    std::erase_if(files, [](const auto& file) {
        return file.first == kJournalName || file.first == kTimingsName;
    });
    for (auto& [name, text] : files) {
        if (name == kReportJsonName) text = maskedJson(text);
        if (name == kReportHtmlName) text = maskedHtml(text);
        if (name == kMetricsCsvName) text = maskedCsv(text);
    }
    return files;
}

}  // namespace threefold::test
