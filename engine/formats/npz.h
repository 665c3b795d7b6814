#pragma once

#include <filesystem>
#include <span>

#include "engine/formats/array.h"

namespace threefold {

/// One `.npy` file (versions 1 to 3; f2 f4 f8, signed and unsigned integers, bool; both byte
/// orders; C or Fortran order). Safe for untrusted bytes. Throws NotThisFormat, FormatError.
Array decodeNpy(std::span<const std::byte> bytes, const std::filesystem::path& subject);

/// All arrays of an `.npz` (stored or deflated zip of `.npy` files), named without ".npy".
/// Safe for untrusted bytes: a declared size beyond what the file can hold is refused before
/// anything is allocated. Throws IoError, NotThisFormat, FormatError.
ArrayMap readNpz(const std::filesystem::path& file);

/// The same of bytes in memory.
ArrayMap decodeNpz(std::span<const std::byte> bytes, const std::filesystem::path& subject);

}  // namespace threefold
