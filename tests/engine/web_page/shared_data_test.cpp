// Tests numbers that the program's texts and its pages' script must show alike.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/measures/measure_table.h"

namespace threefold {
namespace {

/// Unit of the measure with this key, whatever the measure's kind.
Unit unitOf(const std::string& key) {
    const auto find = [&](const auto& measures) -> const MeasureDescription* {
        for (const MeasureDescription& measure : measures)
            if (measure.key == key) return &measure;
        return nullptr;
    };
    if (const MeasureDescription* measure = find(truthMeasures())) return measure->unit;
    if (const MeasureDescription* measure = find(silhouetteMeasures())) return measure->unit;
    const MeasureDescription* const measure = find(surfaceMeasures());
    EXPECT_NE(measure, nullptr) << key;
    return measure != nullptr ? measure->unit : Unit::fraction;
}

/// tests/web_page/unit/report_test.js reads shown_numbers.json, too.
TEST(ShownNumber, equalsThatOfTheReportsScript) {
    std::ifstream file(std::filesystem::path(THREEFOLD_TEST_DATA) /
                       "engine/web_page/data/shown_numbers.json");
    for (const nlohmann::json& each : nlohmann::json::parse(file)) {
        const auto key = each["key"].get<std::string>();
        EXPECT_EQ(shownNumber(unitOf(key), each["value"].get<double>(), each["sign"].get<bool>()),
                  each["text"].get<std::string>())
            << key;
    }
}

}  // namespace
}  // namespace threefold
