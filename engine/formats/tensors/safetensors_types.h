#pragma once

#include <optional>
#include <string_view>

#include "engine/formats/tensors/array.h"

namespace threefold {

inline constexpr std::string_view kMetadataKey = "__metadata__";

/// "F32" and its kind; nothing for types that `Array` does not know.
std::optional<DType> safetensorsType(std::string_view name);
std::string_view safetensorsTypeName(DType type);

}  // namespace threefold
