#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "engine/error.h"
#include "engine/log.h"
#include "engine/profile/stopwatch.h"

namespace threefold {

/// Standard output's reader closed the pipe.
class OutputClosed : public Error {
    using Error::Error;
};

/// Sends to standard error whatever libraries write to standard output, as OpenCV and Vulkan's
/// layers do where the environment asks for their logs. The functions below still write to standard
/// output.
void redirectLibraryOutput();

/// Writes escapeControls(withOptionNames(text), "\n\t") to standard output and flushes. Throws
/// OutputClosed, or IoError (a full disk).
void printText(std::string_view text);

/// Writes escapeControlsInJson(json) to standard output and flushes. `json`: a document, or JSON
/// Lines. Throws as printText() does.
void printJsonText(std::string_view json);

/// Prints one document, indented by two spaces, and a newline. Bytes that are not UTF-8, as in
/// paths, become U+FFFD. Throws as printText() does.
void printJson(const nlohmann::ordered_json& document);

/// Starts logging to stderr, each line "threefold: text"; standard output is for results alone.
/// Logs only warnings and errors until setLog().
void startLogging();

/// Names of log levels, the most verbose first.
inline constexpr std::string_view kLogLevels[] = {"trace", "debug", "info", "warn", "error", "off"};

/// Logs lines of this level (one of kLogLevels) and above. Unless the path is empty, also appends
/// the lines to `file`, a regular file or a device, with time and level. Call before other threads
/// log. Throws UsageError if the file cannot be written, or is a regular file but no log. Lines
/// lost later, as on a full disk, are reported once on stderr.
void setLog(std::string_view level, const std::filesystem::path& file);

/// Logs one line, from any thread: the LogFunction that the engine and the window get.
void logLine(LogLevel level, std::string_view line);

/// Remaining time with two leading blanks: "  1:02:03 left", "  2:03 left"; empty if it is unknown:
/// negative, not finite, or 10⁹ seconds and more.
std::string remainingTimeText(double seconds);

/// Progress on standard error: one line that is rewritten on a terminal, a line every ten seconds
/// elsewhere. One thread at a time.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();  ///< ends the line
    ProgressLine(const ProgressLine&) = delete;

    /// Whether the next update is due; the first is due at once.
    bool isDue() const;
    /// Replaces the line; `line` has no line end.
    void update(const std::string& line);
    /// Prints another line, which stays.
    void writeLine(const std::string& line);
    double seconds() const;  ///< since the constructor

  private:
    const bool terminal_;
    const Stopwatch watch_;
    double shownAt_ = -1e9;  ///< milliseconds
    bool lineOpen_ = false;
};

}  // namespace threefold
