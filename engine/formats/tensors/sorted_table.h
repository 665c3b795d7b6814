#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace threefold {

/// True where the bytes end as a LevelDB table does.
bool looksLikeSortedTable(std::span<const std::byte> bytes);

/// Receives one entry of a table. Both arguments are valid during the call only.
using TableEntryUse = std::function<void(std::string_view key, std::span<const std::byte> value)>;

/// Reads a table of sorted keys as LevelDB lays it out (its doc/table_format.md), and as
/// TensorFlow's checkpoints use it: blocks of entries whose keys share their beginnings, each plain
/// or packed with snappy and followed by its masked crc32c, an index of blocks, a footer.
/// `use` is called for every entry in order. Safe for untrusted bytes: blocks must not overlap,
/// keys must rise and have at most 4 kB, a block at most 16 MB. Throws NotThisFormat, FormatError,
/// and what `use` throws.
void readSortedTable(std::span<const std::byte> bytes, const std::filesystem::path& subject,
                     const TableEntryUse& use);

}  // namespace threefold
