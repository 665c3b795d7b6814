#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "engine/error.h"
#include "engine/profile/stopwatch.h"
#include "engine/progress.h"

namespace threefold {

/// Standard output's reader went away.
class OutputClosed : public Error {
    using Error::Error;
};

/// Writes what is printable() and flushes. Throws OutputClosed, or IoError (a full disk).
void printText(std::string_view text);

/// Writes what is printableJson() and flushes: documents, lines of objects. Throws as printText.
void printJsonText(std::string_view json);

/// One document, indented by two spaces, and a newline. Bytes that are not UTF-8 (paths may hold
/// such) become U+FFFD. Throws as printText.
void printJson(const nlohmann::ordered_json& document);

/// Log lines go to stderr, each "threefold: text"; standard output is for results alone. Warnings
/// and errors only, until setLog() says otherwise.
void startLogging();

/// The words for the level from which on lines are logged, the one with the most lines first.
inline constexpr std::string_view kLogLevels[] = {"trace", "debug", "info", "warn", "error", "off"};

/// Logs lines of this level (one of kLogLevels) and above; where `file` is not empty they are
/// appended to it as well, with time and level. Call it before other threads log. Throws UsageError
/// where the file cannot be written. A line that is lost later, such as on a full disk, is reported
/// once on stderr.
void setLog(std::string_view level, const std::filesystem::path& file);

/// Logs one line, from any thread: the LogFunction that the engine and the window get.
void logLine(LogLevel level, std::string_view line);

/// The text with control characters written as \xNN, a newline as \n, so that a file's name can
/// neither break a line nor control the terminal. Those in `kept` and all other bytes stay, also
/// where they are not UTF-8.
std::string printable(std::string_view text, std::string_view kept = {});

/// The same JSON with U+007F to U+009F, which some terminals obey, as \u007f to \u009f.
std::string printableJson(std::string_view json);

/// How long something still takes: "  1:02:03 left", "  2:03 left".
std::string leftText(double seconds);

/// Progress on standard error: one line that is rewritten on a terminal, a line every ten seconds
/// elsewhere. One thread at a time.
class ProgressLine {
  public:
    ProgressLine();
    ~ProgressLine();  ///< ends the line
    ProgressLine(const ProgressLine&) = delete;

    /// Whether the last update is old enough for another; the first is due at once.
    bool isDue() const;
    /// Replaces the line; `line` has no line end.
    void update(const std::string& line);
    /// Prints another line, which stays.
    void tell(const std::string& line);
    double seconds() const;  ///< since the constructor

  private:
    const bool terminal_;
    const Stopwatch watch_;
    double shownAt_ = -1e9;  ///< milliseconds
    bool lineOpen_ = false;
};

/// Exit codes of the process; scripts rely on these numbers.
enum class ExitCode : int {
    done = 0,
    failed = 1,
    usage = 2,       ///< the command line or a configuration file is wrong
    someFailed = 3,  ///< some samples failed; the rest are done and listed
};

/// Of a list of results, of which each may be done.
template <class Results, class IsDone>
ExitCode exitCodeOf(const Results& results, IsDone isDone) {
    if (std::ranges::none_of(results, isDone)) return ExitCode::failed;
    return std::ranges::all_of(results, isDone) ? ExitCode::done : ExitCode::someFailed;
}

}  // namespace threefold
