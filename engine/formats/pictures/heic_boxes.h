#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace threefold {

/// The pixels that a decoder of a HEIC or AVIF file's main picture unpacks, as its boxes say: those
/// of the picture before it is cropped, or of its tiles where they have more. 0 where the boxes do
/// not tell. Throws FormatError for what no camera writes and would take memory, threads and time
/// out of proportion to the picture: grids of grids, long chains of derived pictures and circles of
/// them, tiles with far more pixels than the picture that they make up, and more than 20 000 of
/// them. Reads boxes alone (ISO/IEC 14496-12, 23008-12), and the
/// sizes in HEVC's parameter sets and AV1's sequence headers.
std::uint64_t pixelsOfHeic(std::span<const std::byte> bytes, const std::filesystem::path& subject);

}  // namespace threefold
