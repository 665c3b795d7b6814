#pragma once

#include <string>

#include "engine/profile/stopwatch.h"

namespace threefold {

/// Progress on standard error: one line that is rewritten on a terminal, a line every ten seconds
/// elsewhere. One thread at a time.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();  ///< ends the line
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /// Whether the last one is old enough for another; the first is due at once.
    bool isDue() const;
    /// `line` without its end.
    void show(const std::string& line);
    /// Another line, that stays.
    void tell(const std::string& line);
    double seconds() const;  ///< since it was made

  private:
    const bool terminal_;
    const Stopwatch watch_;
    double shownAt_ = -1e9;  ///< milliseconds
    bool lineOpen_ = false;
};

}  // namespace threefold
