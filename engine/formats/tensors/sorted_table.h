#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace threefold {

/// Whether the bytes end as a LevelDB table does.
bool looksLikeSortedTable(std::span<const std::byte> bytes);

/// Receives one entry of a table. Both arguments are valid only during the call.
using TableEntryCallback =
    std::function<void(std::string_view key, std::span<const std::byte> value)>;

/// Reads a table of sorted keys in LevelDB's format (its doc/table_format.md), as in TensorFlow's
/// checkpoints. It has blocks, an index of blocks, and a footer; a block holds entries whose keys
/// share prefixes, is plain or packed with snappy, and is followed by its masked crc32c. Calls
/// `onEntry` for every entry in order. Safe for untrusted bytes: blocks must not overlap, keys must
/// rise and have at most 4 kB, a block unpacks to at most 16 MB. Throws NotThisFormat, FormatError,
/// and whatever `onEntry` throws.
void readSortedTable(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                     const TableEntryCallback& onEntry);

}  // namespace threefold
