#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace threefold {

/// Number of pixels that a decoder unpacks for the main picture of a HEIC or AVIF file, from the
/// file's boxes: the maximum over the uncropped picture, all its tiles together, and each of its
/// auxiliary pictures. 0 if the boxes do not tell. Throws FormatError for structures that no camera
/// writes and that take memory, threads and time out of proportion to the picture: grids of grids,
/// long chains or cycles of derived pictures, tiles with far more pixels than the picture, more
/// than 20 000 tiles. Reads only boxes (ISO/IEC 14496-12, 23008-12), and the sizes in HEVC's
/// parameter sets and AV1's sequence headers.
std::uint64_t pixelsOfHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject);

}  // namespace threefold
