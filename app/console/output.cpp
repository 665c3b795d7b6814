#include "app/console/output.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "app/console/option_names.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/formats/files/reserved_file.h"
#include "engine/json_text.h"
#include "engine/text.h"

namespace threefold {
namespace {

/// Stream that results are printed to.
std::FILE*& resultStream() {
    static std::FILE* stream = stdout;
    return stream;
}

void write(std::string_view text) {
    errno = 0;
    std::FILE* const stream = resultStream();
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
    if (written) return;
    const int reason = errno;
    const ErrorReport report{"standard output", "",
                             "cannot be written: " + std::generic_category().message(reason),
                             "Redirect the output to a disk with free space."};
    if (reason == EPIPE) throw OutputClosed(report);
    throw IoError(report);
}

/// Keeps a message on one line, since a message may hold file names with any characters; writes
/// settings as options.
class OneLine : public spdlog::custom_flag_formatter {
  public:
    void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
                spdlog::memory_buf_t& line) override {
        const std::string text =
            escapeControls(withOptionNames({message.payload.data(), message.payload.size()}));
        line.append(text.data(), text.data() + text.size());
    }
    std::unique_ptr<spdlog::custom_flag_formatter> clone() const override {
        return std::make_unique<OneLine>();
    }
};

std::unique_ptr<spdlog::formatter> linesLike(const char* pattern) {
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<OneLine>('*').set_pattern(pattern);
    return formatter;
}

[[noreturn]] void throwNoLog(const std::filesystem::path& file, int reason) {
    throw UsageError({file.string(), "",
                      "cannot be written as the log: " + std::generic_category().message(reason),
                      "Name a file that you may write to, in an existing folder, with "
                      "--log-file or log.file in threefold.toml."});
}

/// Throws UsageError if the file cannot be appended to; creates it if missing.
void checkAppendable(const std::filesystem::path& file) {
    // O_NONBLOCK: opening a pipe must not wait for a reader.
    const FileDescriptor opened(
        ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666));
    if (!opened) throwNoLog(file, errno);
    // Lines of a log begin with the date, "2026-01-31 ": nothing is appended to any other file.
    std::error_code failure;
    if (!std::filesystem::is_regular_file(file, failure)) return;
    constexpr std::string_view kPattern = "0000-00-00 ";
    std::string beginning(kPattern.size(), '\0');
    std::ifstream content(file, std::ios::binary);
    content.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    if (content.gcount() == 0) return;
    for (char& c : beginning)
        if (c >= '0' && c <= '9') c = '0';
    if (beginning != kPattern)
        throw UsageError({"log file", file.string(), "exists, and is not a log",
                          "Name another file, or remove this one if it is not needed."});
}

/// Opens the log file. Throws UsageError as checkAppendable() does, also if the file changes after
/// that check.
std::shared_ptr<spdlog::sinks::sink> openLog(const std::filesystem::path& file) {
    checkAppendable(file);
    errno = 0;
    try {
        return std::make_shared<spdlog::sinks::basic_file_sink_mt>(file.string());
    } catch (const spdlog::spdlog_ex&) {
        throwNoLog(file, errno);
    }
}

/// Reservation of the log's file, so that no result of the run replaces that file.
std::optional<ReservedFile>& reservedLog() {
    static std::optional<ReservedFile> file;
    return file;
}

constexpr double kTerminalPause = 100;  // milliseconds between two lines
constexpr double kLinePause = 10'000;

}  // namespace

void redirectLibraryOutput() {
    // fcntl() or fdopen() fails if standard output is not open for writing; printText() then
    // reports the error.
    const int descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    std::FILE* const stream = descriptor < 0 ? nullptr : ::fdopen(descriptor, "w");
    if (stream == nullptr) {
        if (descriptor >= 0) ::close(descriptor);
        return;
    }
    if (::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        std::fclose(stream);
    else
        resultStream() = stream;
}

void printText(std::string_view text) {
    write(escapeControls(withOptionNames(text), "\n\t"));
}

void printJsonText(std::string_view json) {
    write(escapeControlsInJson(json));
}

void printJson(const nlohmann::ordered_json& document) {
    printJsonText(dumpJson(document, 2) + '\n');
}

void startLogging() {
    // The log has its own descriptor: the engine mutes standard error while libraries would write
    // to standard error.
    std::FILE* const stream = ::fdopen(::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), "w");
    using Sink = spdlog::sinks::stdout_sink_base<spdlog::details::console_mutex>;
    auto sink = std::make_shared<Sink>(stream != nullptr ? stream : stderr);
    auto logger = std::make_shared<spdlog::logger>("threefold", std::move(sink));
    logger->set_formatter(linesLike("%n: %*"));
    logger->set_level(spdlog::level::warn);
    // The handler may be called when memory is exhausted, so the handler allocates no memory.
    logger->set_error_handler([reported = false](const std::string& what) mutable {
        if (what == std::bad_alloc().what()) {
            std::fputs("threefold: not enough memory to write a message\n", stderr);
        } else if (!std::exchange(reported, true)) {
            for (const char* part : {"threefold: the log's file lacks lines: ", what.c_str(), "\n"})
                std::fputs(part, stderr);
        }
    });
    spdlog::set_default_logger(std::move(logger));
}

void setLog(std::string_view level, const std::filesystem::path& file) {
    spdlog::set_level(spdlog::level::from_str(std::string(level)));
    if (file.empty()) return;
    auto sink = openLog(file);
    reservedLog().reset();
    reservedLog().emplace(file, "the log");
    sink->set_formatter(linesLike("%Y-%m-%d %H:%M:%S.%e %l: %*"));
    spdlog::default_logger()->sinks().push_back(std::move(sink));
    spdlog::flush_on(spdlog::level::trace);
}

void logLine(LogLevel level, std::string_view line) {
    constexpr spdlog::level::level_enum kLevels[] = {spdlog::level::debug, spdlog::level::info,
                                                     spdlog::level::warn, spdlog::level::err};
    spdlog::log(kLevels[static_cast<std::size_t>(level)], "{}", line);
}

std::string remainingTimeText(double seconds) {
    constexpr double kUnknown = 1e9;
    if (!(seconds >= 0 && seconds < kUnknown)) return {};
    const auto wholeSeconds = static_cast<long long>(seconds);
    const long long minutes = wholeSeconds / 60;
    const std::string hours = minutes < 60 ? "" : fmt::format("{}:", minutes / 60);
    return fmt::format("  {}{:0{}}:{:02} left", hours, minutes % 60, hours.empty() ? 1 : 2,
                       wholeSeconds % 60);
}

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
    if (lineOpen_) std::fputc('\n', stderr);
}

bool ProgressLine::isDue() const {
    return watch_.milliseconds() - shownAt_ >= (terminal_ ? kTerminalPause : kLinePause);
}

void ProgressLine::update(const std::string& line) {
    shownAt_ = watch_.milliseconds();
    std::fputs((terminal_ ? "\r\x1b[K" + line : line + '\n').c_str(), stderr);
    std::fflush(stderr);
    lineOpen_ = terminal_;
}

void ProgressLine::writeLine(const std::string& line) {
    if (lineOpen_) std::fputs("\r\x1b[K", stderr);
    lineOpen_ = false;
    std::fputs((withOptionNames(line) + '\n').c_str(), stderr);
}

double ProgressLine::seconds() const {
    return watch_.milliseconds() / kMillisecondsPerSecond;
}

}  // namespace threefold
