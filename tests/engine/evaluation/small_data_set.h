#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/evaluation/run/run_description.h"

namespace threefold::test {

/// A data set of different samples with tiny images and truths. `root` has ShapeNetRendering/ in
/// ShapeNet's layout, the truths in gt/, and list.txt, a list of the samples' names. Each sample
/// has three views.
class SmallDataSet {
  public:
    SmallDataSet(std::filesystem::path root, std::size_t samples);

    const std::filesystem::path& root() const { return root_; }
    std::filesystem::path list() const { return root_ / "list.txt"; }
    const std::vector<std::string>& names() const { return names_; }  ///< like "02691156_p0000_00"
    /// Folder of a sample's images.
    std::filesystem::path rendering(std::size_t sample) const;
    std::filesystem::path truth(std::size_t sample) const;

    /// Appends lines to the list, after the samples.
    void addLines(const std::vector<std::string>& lines) const;

  private:
    std::filesystem::path root_;
    std::vector<std::string> names_;
};

/// Description of a FakeBackend's run over the samples of a list.
RunDescription smallRun(const std::filesystem::path& list, Shard shard = {});

/// Path and content of every file below a folder.
std::vector<std::pair<std::string, std::string>> contentsOf(const std::filesystem::path& folder);

}  // namespace threefold::test
