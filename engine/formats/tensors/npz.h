#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "engine/formats/tensors/array.h"
#include "engine/formats/tensors/npy.h"

namespace threefold {

/// Decodes all arrays of an `.npz` (stored or deflated zip of `.npy` files), named without ".npy".
/// Safe for untrusted bytes: declared sizes beyond what the file can hold, or beyond 8 × its size +
/// 32 MB together, are refused before anything is allocated. Leaves out arrays of types that Array
/// cannot hold; decodeNpzHeaders() includes them. Throws NotThisFormat (also for a PyTorch
/// archive), FormatError.
ArrayMap decodeNpz(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// Decodes names, types and shapes alone: unpacks only the beginning of each array. Throws as
/// decodeNpz().
std::map<std::string, NpyHeader> decodeNpzHeaders(std::span<const std::byte> bytes,
                                                  const std::filesystem::path& subject);

}  // namespace threefold
