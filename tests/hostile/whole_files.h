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

/// A list of small samples and the files of an undisturbed run. Every file that a disturbed run
/// leaves must equal a file of the undisturbed run, except for times (maskedFiles()).
class CompleteFiles : public testing::Test {
  protected:
    using Words = std::vector<std::string>;

    explicit CompleteFiles(std::size_t samples) : data_(folder_ / "data", samples) {}

    /// Command that writes both meshes of each sample in every format.
    Words reconstruct(const std::string& out) const;
    /// Command that evaluates the list. `start`: --resume or --overwrite.
    Words eval(const std::string& out, const char* start) const;

    void runUndisturbed(const Words& words, const std::string& out);
    /// Expects that every file of `out` equals the file of this name in the undisturbed run.
    /// `killed`: temporary files may be left.
    void expectSameFiles(const std::string& out, bool killed = false) const;
    /// Expects that `eval` with --resume makes the files of `out` equal to those of the undisturbed
    /// run.
    void expectResumes(const std::string& out) const;

    const TempFolder folder_;
    const SmallDataSet data_;
    std::vector<std::pair<std::string, std::string>> undisturbed_;
};

}  // namespace threefold::test
