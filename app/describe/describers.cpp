#include "app/describe/describers.h"

#include <algorithm>
#include <cmath>
#include <system_error>

#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_formats.h"
#include "engine/formats/pictures/picture_formats.h"
#include "engine/json_text.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

#define THREEFOLD_DESCRIBER(describe) describe,
constexpr decltype(&describeSample) kDescribers[] = {
#include "app/describe/describers.inl"
};
#undef THREEFOLD_DESCRIBER

std::optional<ArrayRange> valueRange(const Array& array) {
    ArrayRange range;
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

std::string rangeText(const ArrayRange& range) {
    const std::string notFinite = fmt::format("{} not finite", range.notFinite);
    if (std::isnan(range.mean)) return notFinite;
    std::string text =
        fmt::format("{:.6g} … {:.6g}, mean {:.6g}", range.lowest, range.highest, range.mean);
    if (range.notFinite > 0) text += ", " + notFinite;
    return text;
}

}  // namespace

Description describeFile(const std::filesystem::path& file, RangeSelection ranges) {
    // First of all: a checkpoint may be a folder, or a prefix that is no file.
    try {
        return describeTensorBundle(file, ranges);
    } catch (const NotThisFormat&) {
    }
    std::error_code failure;
    const bool exists = std::filesystem::exists(file, failure);
    if (failure == std::errc::too_many_symbolic_link_levels)
        throw IoError({file.string(), "", "is a link in a loop of links",
                       "Name the file itself, or create the link again."});
    if (failure && failure != std::errc::no_such_file_or_directory &&
        failure != std::errc::not_a_directory)
        throw IoError({file.string(), "", "cannot be read: " + failure.message(),
                       "Check the rights of the folders above."});
    if (!exists)
        throw IoError({file.string(), "", "there is no such file or folder",
                       "Check the path, or list the folder it should be in."});
    if (std::filesystem::is_directory(file, failure)) return describeSample(file, ranges);
    for (const auto describe : kDescribers) {
        try {
            return describe(file, ranges);
        } catch (const NotThisFormat&) {
            continue;
        }
    }
    throw NotThisFormat(
        {file.string(), "", "is in no format that Threefold reads",
         fmt::format(
             "It reads samples, rendering_metadata.txt, transforms.json, cameras.json, COLMAP's "
             "projects, {}, {}, npz, npy, safetensors, PyTorch archives, TensorFlow checkpoints, "
             "test lists and pickles of data.",
             pictureFormatNames(), meshFormatNames(", ", mesh_format_filters::notArrays))});
}

bool shouldComputeRanges(RangeSelection ranges, std::size_t bytes, Description& description) {
    if (ranges != RangeSelection::small) return ranges == RangeSelection::all;
    if (bytes <= kSmallContent) return true;
    constexpr std::size_t kMegabyte = 1'000'000;
    description.addFact("ranges", "left out, there are {} MB of values; --ranges looks at them all",
                        bytes / kMegabyte);
    return false;
}

ArrayDescription describeArray(std::string name, const Array& array, bool withRange) {
    ArrayDescription result{std::move(name), std::string(dtypeName(array.dtype)), array.shape};
    if (withRange) result.range = valueRange(array);
    return result;
}

std::string descriptionText(const std::string& file, const Description& description) {
    std::string text = fmt::format("{}: {}\n", file, description.format);
    TextTable facts("ll");
    for (const auto& [name, value] : description.facts) facts.add({name, value});
    TextTable entries("ll");
    for (const auto& [name, value] : description.entries) entries.add({name, value});
    TextTable arrays("llll");
    for (const ArrayDescription& array : description.arrays)
        arrays.add({array.name, array.dtype, shapeText(array.shape),
                    array.range ? rangeText(*array.range) : ""});
    return text + facts.text("  ") + entries.text("    ") + arrays.text("  ");
}

nlohmann::ordered_json descriptionJson(const std::string& file, const Description& description) {
    using Json = nlohmann::ordered_json;
    Json json = {{"file", file}, {"format", description.format}};
    json["facts"] = Json::object();
    for (const auto& [name, value] : description.facts) {
        Json& fact = json["facts"][name];
        fact = fact.is_null() ? value : fact.get<std::string>() + "; " + value;
    }
    // A list, as a file may name two values alike.
    json["entries"] = jsonList(description.entries, [](const auto& entry) {
        return Json{{"name", entry.first}, {"value", entry.second}};
    });
    json["arrays"] = jsonList(description.arrays, [](const ArrayDescription& array) {
        Json entry = {{"name", array.name}, {"dtype", array.dtype}, {"shape", array.shape}};
        if (array.range) {
            entry["min"] = array.range->lowest;
            entry["max"] = array.range->highest;
            entry["mean"] = array.range->mean;
            entry["notFinite"] = array.range->notFinite;
        }
        return entry;
    });
    return json;
}

}  // namespace threefold
