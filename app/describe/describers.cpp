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
    constexpr double kSmall = 0x1p-64;
    double sum = 0;
    double smallSum = 0;  // sum of value × kSmall, which cannot overflow
    std::size_t count = 0;
    const auto include = [&](double value) {
        if (!std::isfinite(value)) {
            ++range.notFinite;
            return;
        }
        range.min = count == 0 ? value : std::min(range.min, value);
        range.max = count == 0 ? value : std::max(range.max, value);
        sum += value;
        smallSum += value * kSmall;
        ++count;
    };
    // Converts the values in parts: as doubles, a whole picture would take eight times its size.
    constexpr std::size_t kPart = std::size_t{1} << 16U;
    const std::size_t partBytes = kPart * dtypeSize(array.dtype);
    for (std::size_t first = 0; first < array.data.size(); first += partBytes) {
        const std::size_t bytes = std::min(partBytes, array.data.size() - first);
        const auto begin = array.data.begin() + static_cast<std::ptrdiff_t>(first);
        const Array part{array.dtype,
                         {bytes / dtypeSize(array.dtype)},
                         {begin, begin + static_cast<std::ptrdiff_t>(bytes)}};
        for (const double value : part.toDouble()) include(value);
    }
    if (count == 0 && range.notFinite == 0) return std::nullopt;
    const auto divisor = static_cast<double>(count);
    if (count > 0) range.mean = std::isfinite(sum) ? sum / divisor : smallSum / divisor / kSmall;
    return range;
}

std::string rangeText(const ArrayRange& range) {
    const std::string notFinite = fmt::format("{} not finite", range.notFinite);
    if (std::isnan(range.mean)) return notFinite;
    std::string text =
        fmt::format("{:.6g} … {:.6g}, mean {:.6g}", range.min, range.max, range.mean);
    if (range.notFinite > 0) text += ", " + notFinite;
    return text;
}

}  // namespace

Description describeFile(const std::filesystem::path& file, RangeSelection ranges) {
    // Checkpoints come first: a checkpoint may be a folder, or a prefix that is no file.
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
    // A list, not an object: a file may give two values the same name.
    json["entries"] = jsonArray(description.entries, [](const auto& entry) {
        return Json{{"name", entry.first}, {"value", entry.second}};
    });
    json["arrays"] = jsonArray(description.arrays, [](const ArrayDescription& array) {
        Json entry = {{"name", array.name}, {"dtype", array.dtype}, {"shape", array.shape}};
        if (array.range) {
            entry["min"] = array.range->min;
            entry["max"] = array.range->max;
            entry["mean"] = array.range->mean;
            entry["notFinite"] = array.range->notFinite;
        }
        return entry;
    });
    return json;
}

}  // namespace threefold
