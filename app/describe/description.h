#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

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
    std::optional<ValueRange> range;  ///< absent: not asked for, or no finite value
};

/// What a file holds, for people and for --json.
struct Description {
    std::string format;  ///< "npz", "safetensors", "sample", …
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<ArrayDescription> arrays;
};

/// Names, type and shape, and the range where `withRange`.
ArrayDescription describeArray(std::string name, const Array& array, bool withRange);

std::string descriptionText(const std::string& file, const Description& description);
nlohmann::ordered_json descriptionJson(const std::string& file, const Description& description);

}  // namespace threefold
