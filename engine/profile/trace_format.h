#pragma once

#include <string>
#include <string_view>

#include "engine/profile/span.h"

namespace threefold {

/// First characters of every result of formatChromeTrace().
inline constexpr std::string_view kChromeTraceStart = R"({"displayTimeUnit":"ms","traceEvents":[)";

/// Formats spans in Chrome's trace format (a JSON object with "traceEvents") for chrome://tracing
/// and Perfetto: one complete event per span, in microseconds, and one named thread per lane.
std::string formatChromeTrace(const Spans& spans);

/// Formats spans as a plain JSON report: for each span name the count, last, median, p95 and sum in
/// milliseconds (p95 by nearest rank), then every span.
std::string formatProfileJson(const Spans& spans);

}  // namespace threefold
