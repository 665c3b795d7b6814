#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/pipeline/fit_sample.h"
#include "ui/document/result.h"

namespace threefold::ui {

/// The photographs of the last fit: the next one of the same sample reuses them. A file whose size
/// or modification time has changed is read again. Thread-safe: of several fits, on several
/// devices, one reads at a time.
class FitViewCache {
  public:
    using Loaded = std::vector<FitView>;

    /// Throws what loadFitViews() throws.
    std::shared_ptr<const Loaded> find(const SampleRef& sample, const std::vector<int>& views,
                                       const std::stop_token& cancel);

  private:
    struct FileState {
        std::uintmax_t size = 0;
        std::filesystem::file_time_type written;
        bool operator==(const FileState&) const = default;
    };

    std::mutex mutex_;
    SampleRef sample_;
    std::vector<int> views_;
    std::vector<FileState> files_;
    std::shared_ptr<const Loaded> loaded_;
};

}  // namespace threefold::ui
