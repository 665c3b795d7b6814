#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace threefold {

/// Whether a sample belongs to the test split. The SHA-256 of the id alone decides, so that a
/// sample keeps its split when the data set grows. `testFraction`: fraction of test samples among
/// all samples, 0…1.
bool isInTestSplit(std::string_view id, double testFraction);

/// Number of samples in each list.
struct ListCounts {
    std::size_t all = 0;
    std::size_t train = 0;
    std::size_t test = 0;
};

/// Writes `list.txt`, `train.txt` and `test.txt` (`{category}_{id}_00.dat` a line) for all samples
/// below `root` that have ground truth, also for samples of earlier runs. Throws IoError.
ListCounts writeListFiles(const std::filesystem::path& root, double testFraction);

}  // namespace threefold
