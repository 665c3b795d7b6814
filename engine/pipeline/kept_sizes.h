#pragma once

#include <filesystem>
#include <string>

#include "engine/pipeline/crew_sizes.h"
#include "engine/progress.h"

namespace threefold {

/// What a run has found out about its sizes, kept for the next one under the same circumstances. A
/// cache: nothing that goes wrong here is an error; it goes to a debug line, and the next run finds
/// out anew. Any number of processes may share the folder.
class KeptSizes {
  public:
    /// An empty folder keeps nothing. `circumstances`: all that the sizes depend on, as one line.
    KeptSizes(std::filesystem::path folder, std::string circumstances, LogFunction log = {});

    /// Zeros where nothing is kept, or what is kept is for something else, damaged or unreadable.
    RunSizes load() const;
    /// Sizes that are 0 stay as they were kept. Makes the folder if need be.
    void save(const RunSizes& sizes) const;

    /// "sizes-<16 hexadecimal digits>.json" in the folder.
    std::filesystem::path file() const;

  private:
    void log(const std::string& line) const {
        if (log_) log_(LogLevel::debug, line);
    }

    std::filesystem::path folder_;
    std::string circumstances_;
    LogFunction log_;
};

}  // namespace threefold
