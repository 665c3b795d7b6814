#include "app/describe/description.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/text_table.h"

namespace threefold {
namespace {

std::optional<ValueRange> rangeOf(const Array& array) {
    ValueRange range;
    double sum = 0;
    std::size_t count = 0;
    for (const double value : array.toDouble()) {
        if (!std::isfinite(value)) {
            ++range.notFinite;
            continue;
        }
        range.lowest = count == 0 ? value : std::min(range.lowest, value);
        range.highest = count == 0 ? value : std::max(range.highest, value);
        sum += value;
        ++count;
    }
    if (count == 0 && range.notFinite == 0) return std::nullopt;
    if (count > 0) range.mean = sum / static_cast<double>(count);
    return range;
}

std::string rangeText(const ValueRange& range) {
    std::string text =
        fmt::format("{:.6g} … {:.6g}, mean {:.6g}", range.lowest, range.highest, range.mean);
    if (range.notFinite > 0) text += fmt::format(", {} not finite", range.notFinite);
    return text;
}

}  // namespace

ArrayDescription describeArray(std::string name, const Array& array, bool withRange) {
    ArrayDescription result{std::move(name), std::string(dtypeName(array.dtype)), array.shape, {}};
    if (withRange) result.range = rangeOf(array);
    return result;
}

std::string descriptionText(const std::string& file, const Description& description) {
    std::string text = fmt::format("{}: {}\n", file, description.format);
    Table facts({Table::Align::left, Table::Align::left});
    for (const auto& [name, value] : description.facts) facts.add({name, value});
    Table arrays({Table::Align::left, Table::Align::left, Table::Align::left, Table::Align::left});
    for (const ArrayDescription& array : description.arrays) {
        arrays.add({array.name, array.dtype, shapeText(array.shape),
                    array.range ? rangeText(*array.range) : ""});
    }
    return text + facts.text("  ") + arrays.text("  ");
}

nlohmann::ordered_json descriptionJson(const std::string& file, const Description& description) {
    using Json = nlohmann::ordered_json;
    Json json = {{"file", file}, {"format", description.format}};
    json["facts"] = Json::object();
    for (const auto& [name, value] : description.facts) json["facts"][name] = value;
    json["arrays"] = Json::array();
    for (const ArrayDescription& array : description.arrays) {
        Json entry = {{"name", array.name}, {"dtype", array.dtype}, {"shape", array.shape}};
        if (array.range) {
            entry["min"] = array.range->lowest;
            entry["max"] = array.range->highest;
            entry["mean"] = array.range->mean;
            entry["notFinite"] = array.range->notFinite;
        }
        json["arrays"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace threefold
