#include "engine/network/precision.h"

#include <array>
#include <iterator>
#include <string>

#include "engine/error.h"

namespace threefold {
namespace {

struct PrecisionNames {
    std::string_view name;
    std::string_view shortName;
};

/// In the order of Precision.
constexpr std::array<PrecisionNames, std::size(kAllPrecisions)> kPrecisionNames = {
    {{"float32", "fp32"},
     {"tfloat32", "tf32"},
     {"float16", "fp16"},
     {"bfloat16", "bf16"},
     {"int8", "int8"}}};

}  // namespace

std::string_view precisionName(Precision precision) {
    return kPrecisionNames[static_cast<std::size_t>(precision)].name;
}

Precision precisionFromName(std::string_view name) {
    for (std::size_t i = 0; i < kPrecisionNames.size(); ++i)
        if (name == kPrecisionNames[i].name || name == kPrecisionNames[i].shortName)
            return kAllPrecisions[i];
    throw UsageError({"`precision`", std::string(name), "there is no such precision",
                      "Use float32, tfloat32, float16, bfloat16 or int8."});
}

}  // namespace threefold
