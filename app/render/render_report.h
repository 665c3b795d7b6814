#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/render/render_request.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample_rendering/list_files.h"
#include "engine/sample_rendering/render_sample.h"
#include "engine/sample_rendering/render_samples.h"

namespace threefold {

/// How many samples were made, skipped and failed.
struct RenderCounts {
    explicit RenderCounts(const std::vector<RenderResult>& results);

    std::size_t made = 0;
    std::size_t skipped = 0;
    std::size_t failed = 0;
};

/// Summary of the run, or of a dry run. `lists`: sample counts of the list files; nullopt if none
/// were written.
std::string renderSummary(const RenderRequest& request, const std::vector<RenderResult>& results,
                          const std::optional<ListCounts>& lists, double milliseconds);

/// JSON document that `render --json` prints; its keys are in docs/COMMANDS.md.
nlohmann::ordered_json renderJson(const RenderRequest& request,
                                  const std::vector<RenderResult>& results,
                                  const std::optional<ListCounts>& lists, double milliseconds,
                                  bool cancelled);

/// Reports each result as it comes: failures and warnings in the log, and a line for each sample on
/// standard output. With --json the line goes to standard error instead, if that is a terminal. One
/// thread at a time.
class RenderReporter {
  public:
    /// `sampleCount`: samples of the run. `request` must outlive the reporter.
    RenderReporter(const RenderRequest& request, std::size_t sampleCount);

    void report(const RenderResult& result);

    double milliseconds() const { return watch_.milliseconds(); }  ///< since the constructor

  private:
    /// Line about a sample that did not fail: "[3/40] 02691156_p0001 24 views 5120 faces 10000
    /// points 212 ms 0:41 left". Empty for a skipped sample of a run with several samples: the
    /// summary counts skipped samples.
    std::string renderLine(const RenderResult& result) const;

    const RenderRequest& request_;
    const std::size_t sampleCount_;
    const bool terminal_;  ///< standard error is a terminal; if not, --json prints no lines

    std::size_t number_ = 0;    ///< results reported so far
    std::size_t made_ = 0;      ///< samples made so far
    std::size_t outdated_ = 0;  ///< skipped samples so far whose mesh is newer
    const Stopwatch watch_;
};

}  // namespace threefold
