#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <snappy.h>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/tensors/crc32c.h"

/// Functions that write LevelDB's sorted tables, as LevelDB's documentation describes them. Tests
/// damage these tables.
namespace threefold::test {

inline std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80U; value >>= 7) bytes += static_cast<char>(value | 0x80U);
    return bytes + static_cast<char>(value);
}

inline std::string fixed(std::uint64_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> (8 * i));
    return bytes;
}

using TableEntries = std::vector<std::pair<std::string, std::string>>;

struct TableOptions {
    bool snappy = true;
    std::size_t blockSize = 4096;  ///< minimum bytes of each block except the last
    std::size_t restartInterval = 16;
};

/// A block without its trailer. Keys omit the prefix that they share with the previous key, except
/// every `restartInterval`-th key.
inline std::string tableBlock(const TableEntries& entries, std::size_t restartInterval) {
    std::string block, restarts, last;
    std::uint64_t restartCount = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& [key, value] = entries[i];
        std::size_t shared = 0;
        if (i % restartInterval == 0) {
            restarts += fixed(block.size(), 4);
            ++restartCount;
        } else {
            while (shared < std::min(last.size(), key.size()) && last[shared] == key[shared])
                ++shared;
        }
        block += varint(shared) + varint(key.size() - shared) + varint(value.size());
        block += key.substr(shared) + value;
        last = key;
    }
    if (restartCount == 0) {
        restarts = fixed(0, 4);
        restartCount = 1;
    }
    return block + restarts + fixed(restartCount, 4);
}

/// Builds a table, block by block.
class SortedTableWriter {
  public:
    explicit SortedTableWriter(const TableOptions& options) : options_(options) {}

    /// Appends a block, compressed as the options say, with a valid checksum. Lists the block in
    /// the index under `lastKey`, which must not be below the block's keys. Returns the block's
    /// handle.
    std::string addBlock(const std::string& block, const std::string& lastKey) {
        const std::string handle = append(block);
        index_.emplace_back(lastKey, handle);
        return handle;
    }
    /// Adds an index entry without a block: for a block that was added already, or for none.
    void addHandle(const std::string& lastKey, const std::string& handle) {
        index_.emplace_back(lastKey, handle);
    }

    std::string finish() {
        const std::string meta = append(tableBlock({}, 1));
        const std::string index = append(tableBlock(index_, 1));
        std::string footer = meta + index;
        footer.resize(40, '\0');
        return bytes_ + footer + fixed(0xdb4775248b80fb57U, 8);
    }

  private:
    std::string append(const std::string& block) {
        std::string packed = block;
        if (options_.snappy) snappy::Compress(block.data(), block.size(), &packed);
        std::string handle = varint(bytes_.size()) + varint(packed.size());
        packed += options_.snappy ? '\1' : '\0';
        bytes_ += packed + fixed(maskCrc32c(crc32c(asBytes(packed))), 4);
        return handle;
    }

    TableOptions options_;
    std::string bytes_;
    TableEntries index_;
};

/// A complete table; `entries` must be sorted by key.
inline std::string sortedTable(const TableEntries& entries, const TableOptions& options = {}) {
    SortedTableWriter writer(options);
    TableEntries block;
    std::size_t size = 0;
    for (const auto& entry : entries) {
        block.push_back(entry);
        size += entry.first.size() + entry.second.size();
        if (size < options.blockSize && &entry != &entries.back()) continue;
        writer.addBlock(tableBlock(block, options.restartInterval), entry.first);
        block.clear();
        size = 0;
    }
    return writer.finish();
}

}  // namespace threefold::test
