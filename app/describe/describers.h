#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>

#include "engine/formats/pictures/image.h"
#include "engine/formats/tensors/array.h"

namespace threefold {

/// The finite values of an array of numbers.
struct ValueRange {
    double lowest = 0;
    double highest = 0;
    double mean = 0;
    std::size_t notFinite = 0;  ///< how many values are NaN or infinite; the rest is above
};

struct ArrayDescription {
    std::string name;
    std::string dtype;
    std::vector<std::size_t> shape;
    std::optional<ValueRange> range = {};  ///< absent: not requested, or no finite value
};

/// A file's contents, for text and --json.
struct Description {
    std::string format;  ///< "npz", "safetensors", "sample", …
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<ArrayDescription> arrays;

    template <class... Args>
    void fact(std::string name, fmt::format_string<Args...> value, Args&&... args) {
        facts.emplace_back(std::move(name), fmt::format(value, std::forward<Args>(args)...));
    }
};

/// Names, type and shape, and the range where `withRange`.
ArrayDescription describeArray(std::string name, const Array& array, bool withRange);

std::string descriptionText(const std::string& file, const Description& description);
nlohmann::ordered_json descriptionJson(const std::string& file, const Description& description);

/// Which arrays are read for the range of their values.
enum class Ranges {
    small,  ///< those of files whose arrays together have at most kSmallContent bytes
    none,
    all,
};
/// What can be read in a fraction of a second.
inline constexpr std::size_t kSmallContent = std::size_t{32} << 20;

/// Describes the file or folder. Throws IoError, FormatError (damaged), NotThisFormat (no reader
/// accepts it). A TensorFlow checkpoint goes by the names that findTensorBundle takes.
Description describeFile(const std::filesystem::path& file, Ranges wanted);

/// True if ranges of `bytes` of values are to be computed. Otherwise notes in `description` that
/// they are left out, unless the user chose that.
bool wantsRanges(Ranges wanted, std::size_t bytes, Description& description);

/// A folder with images and cameras. Throws what findSample and readGroundTruth throw.
Description describeSample(const std::filesystem::path& folder, Ranges wanted);

/// What a photograph's file tells of its camera and colours.
void addCameraNotes(Description& description, const ImageHead& head);

/// A checkpoint: a folder, a file, or the prefix of several. Throws NotThisFormat for others.
Description describeTensorBundle(const std::filesystem::path& file, Ranges wanted);

/// One for each kind of file. Throw NotThisFormat for other kinds; describeForeign throws
/// InputError for kinds that are known and not read. A new one is a file that defines it and a line
/// in describers.inl.
#define THREEFOLD_DESCRIBER(describe) \
    Description describe(const std::filesystem::path& file, Ranges wanted);
#include "app/describe/describers.inl"
#undef THREEFOLD_DESCRIBER

}  // namespace threefold
