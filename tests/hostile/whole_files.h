#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/engine/evaluation/small_data_set.h"
#include "tests/hostile/watched.h"

namespace threefold::test {

/// A list of small samples, and what an undisturbed run over it leaves: what disturbed runs
/// leave is compared with that, but for times (maskedFiles()).
class WholeFiles : public testing::Test {
  protected:
    using Words = std::vector<std::string>;

    explicit WholeFiles(std::size_t samples) : data_(folder_ / "data", samples) {}

    /// Both meshes of each sample in every format.
    Words reconstruct(const std::string& out) const;
    /// `start`: --resume or --overwrite.
    Words eval(const std::string& out, const char* start) const;

    void runUndisturbed(const Words& words, const std::string& out);
    /// Expects that every file of `out` is one of the undisturbed run's. Temporary files may lie
    /// about where the program was killed.
    void expectWhole(const std::string& out, bool killed = false) const;
    /// Expects that `eval` in `out` goes on, and ends in the undisturbed run's files.
    void expectResumes(const std::string& out) const;

    const TempFolder folder_;
    const SmallDataSet data_;
    std::vector<std::pair<std::string, std::string>> undisturbed_;
};

}  // namespace threefold::test
