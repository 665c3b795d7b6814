#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "app/sample_rendering/request.h"
#include "engine/sample_rendering/data_set_lists.h"
#include "engine/sample_rendering/render_samples.h"

namespace threefold {

/// How many samples were made, skipped and failed.
struct RenderCounts {
    explicit RenderCounts(const std::vector<RenderResult>& results);

    std::size_t made = 0;
    std::size_t skipped = 0;
    std::size_t failed = 0;
};

/// How far a run is.
struct RenderProgress {
    std::size_t number = 0;  ///< of this result, from 1
    std::size_t all = 0;
    std::size_t made = 0;  ///< so far, with this one
    double milliseconds = 0;
};

/// "[3/40] 02691156_p0001  24 views  5120 faces  10000 points  212 ms  0:41 left", or why not.
/// Nothing for one that is skipped beside others: the summary counts those.
std::string renderLine(const RenderResult& result, const RenderRequest& request,
                       const RenderProgress& progress);

/// What a dry run says of one: "chairs/a.obj → data/chairs/a".
std::string planLine(const RenderResult& result);

/// What the whole run came to, or would. `lists`: where list files were written.
std::string renderSummary(const RenderRequest& request, const std::vector<RenderResult>& results,
                          const std::optional<ListCounts>& lists, double milliseconds);

nlohmann::ordered_json renderJson(const RenderRequest& request,
                                  const std::vector<RenderResult>& results,
                                  const std::optional<ListCounts>& lists, double milliseconds,
                                  bool cancelled);

}  // namespace threefold
