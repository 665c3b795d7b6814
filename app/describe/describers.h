#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/formats/pictures/image_info.h"
#include "engine/formats/tensors/array.h"

namespace threefold {

/// Range of the finite values of an array.
struct ArrayRange {
    double min = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no finite value
    double max = std::numeric_limits<double>::quiet_NaN();
    double mean = std::numeric_limits<double>::quiet_NaN();
    std::size_t notFinite = 0;  ///< number of NaN or infinite values, which the range leaves out
};

/// Name, type and shape of an array in a file.
struct ArrayDescription {
    std::string name;
    std::string dtype;
    std::vector<std::size_t> shape;
    std::optional<ArrayRange> range = {};  ///< absent: not requested, or no values
};

/// A file's contents, for text and --json.
struct Description {
    std::string format;  ///< "npz", "safetensors", "sample", …
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<ArrayDescription> arrays;
    /// Names and values that the file itself contains. Kept apart from `facts`: a file may choose a
    /// name that equals the name of a fact.
    std::vector<std::pair<std::string, std::string>> entries = {};

    template <class... Args>
    void addFact(std::string name, fmt::format_string<Args...> value, Args&&... args) {
        facts.emplace_back(std::move(name), fmt::format(value, std::forward<Args>(args)...));
    }
};

/// Describes an array: name, type and shape, and the range if `withRange`.
ArrayDescription describeArray(std::string name, const Array& array, bool withRange);

/// Formats a description as lines of text; the first has `file` and the format.
std::string descriptionText(const std::string& file, const Description& description);
/// Formats a description as an entry of `inspect --json`.
nlohmann::ordered_json descriptionJson(const std::string& file, const Description& description);

/// Arrays whose value range is computed.
enum class RangeSelection {
    small,  ///< arrays of files with at most kSmallContent bytes of arrays
    none,
    all,
};
/// Bytes that can be read in a fraction of a second.
inline constexpr std::size_t kSmallContent = std::size_t{32} << 20;

/// Describes a file or folder; a TensorFlow checkpoint may have any name that findTensorBundle()
/// accepts. Throws IoError, FormatError (damaged), InputError (known, but not supported or usable),
/// NotThisFormat (no reader accepts the file).
Description describeFile(const std::filesystem::path& file, RangeSelection ranges);

/// Whether to compute ranges of `bytes` of values. If not, notes the omission in `description`,
/// unless the user chose it.
bool shouldComputeRanges(RangeSelection ranges, std::size_t bytes, Description& description);

/// Describes a folder with images and cameras. Throws as findSample() and readGroundTruth() do.
Description describeSample(const std::filesystem::path& folder, RangeSelection ranges);

/// Adds camera and colour metadata of a photograph's file.
void addCameraNotes(Description& description, const ImageInfo& head);

/// Describes a TensorFlow checkpoint: a folder, a file, or the prefix of several files. Throws
/// NotThisFormat if there is no checkpoint.
Description describeTensorBundle(const std::filesystem::path& file, RangeSelection ranges);

/// Describers, one for each kind of file. They throw NotThisFormat for other kinds; describeForeign
/// throws InputError for known but unsupported kinds. A new describer is a source file and a line
/// in describers.inl.
#define THREEFOLD_DESCRIBER(describe) \
    Description describe(const std::filesystem::path& file, RangeSelection ranges);
#include "app/describe/describers.inl"
#undef THREEFOLD_DESCRIBER

}  // namespace threefold
