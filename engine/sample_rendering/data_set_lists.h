#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace threefold {

/// Whether an item belongs to the test part: the SHA-256 of its name alone decides, so that it
/// stays where it is however a data set grows. `share`: 0…1 of all items.
bool isTestItem(std::string_view item, double share);

struct ListCounts {
    std::size_t all = 0;
    std::size_t train = 0;
    std::size_t test = 0;
};

/// Writes `list.txt`, `train.txt` and `test.txt` (`{category}_{item}_00.dat` a line) over all
/// samples below `root` that have their ground truth, whichever run made them. Throws IoError.
ListCounts writeListFiles(const std::filesystem::path& root, double testShare);

}  // namespace threefold
