#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/profile/span.h"

namespace threefold {

/// What every formatChromeTrace() begins with.
inline constexpr std::string_view kChromeTraceStart = R"({"displayTimeUnit":"ms","traceEvents":[)";

/// The spans in Chrome's trace format (a JSON object with "traceEvents"), which chrome://tracing
/// and Perfetto open: one complete event a span in microseconds, one named thread a lane.
std::string formatChromeTrace(const Spans& spans);

/// A plain report as JSON: for each name of a span its number, last, median, p95 and sum in
/// milliseconds (nearest rank, over all spans given), then every span.
std::string formatProfileJson(const Spans& spans);

/// Write whole or not at all. Throw IoError.
void writeChromeTrace(const std::filesystem::path& file, const Spans& spans);
void writeProfileJson(const std::filesystem::path& file, const Spans& spans);

}  // namespace threefold
