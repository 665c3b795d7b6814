#include "engine/system/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/file_descriptor.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kStartRemedy = "Close other programs, or raise the limits of `ulimit -a`.";
constexpr const char* kProgramRemedy = "Install it again, or check its permissions.";
constexpr const char* kLogRemedy = "Free some space there, or let TMPDIR name another folder.";
/// Exit code of a child that could not execute the program, the same as a shell's.
constexpr int kCannotExecuteExitCode = 127;

/// Becomes the program; writes errno to `failure` if the program cannot be executed. Makes only
/// calls that are safe in a signal handler: at fork(), another thread may hold a lock of malloc.
[[noreturn]] void becomeProgram(const char* program, char* const* arguments, int output, int input,
                                int failure, pid_t parent) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kCannotExecuteExitCode);  // the parent ended before prctl()
    sigset_t none;
    sigemptyset(&none);
    // Threefold's command line blocks the signals that it watches, and a child inherits the mask.
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(number, SIG_DFL);
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execv(program, arguments);
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
    _exit(kCannotExecuteExitCode);
}

/// Returns the descriptor, or a copy with a higher number if its own is one of 0 to 2. (A process
/// that was started with closed standard streams gets these numbers for the files it opens.)
FileDescriptor aboveStandardStreams(int descriptor, const fs::path& program) {
    FileDescriptor own(descriptor);
    if (own && own.get() > STDERR_FILENO) return own;
    if (own) own = FileDescriptor(fcntl(own.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!own) throwIoError(program, "cannot be started", errno, kStartRemedy);
    return own;
}

/// Child process and its group. The destructor kills all processes of the group that still run.
class ProcessGroup {
  public:
    explicit ProcessGroup(pid_t leader) : leader_(leader) { setpgid(leader, leader); }
    ~ProcessGroup() {
        if (leader_ > 0) end();
    }
    ProcessGroup(const ProcessGroup&) = delete;
    ProcessGroup& operator=(const ProcessGroup&) = delete;

    bool hasEnded() const {
        siginfo_t state{};
        // WNOWAIT: the process id of a leader that has ended stays reserved until it is waited for,
        // so that no other group gets it.
        const int result =
            waitid(P_PID, static_cast<id_t>(leader_), &state, WEXITED | WNOHANG | WNOWAIT);
        // Where the process ignores SIGCHLD, the system keeps no child that has ended.
        return (result == 0 && state.si_pid == leader_) || (result < 0 && errno == ECHILD);
    }

    /// Kills the group and waits for its leader.
    ExitStatus end() {
        kill(-leader_, SIGKILL);
        int status = 0;
        pid_t waited = 0;
        while ((waited = waitpid(leader_, &status, 0)) < 0 && errno == EINTR) {
        }
        leader_ = -1;
        if (waited < 0) return {-1, 0};  // SIGCHLD is ignored: the status is lost, see hasEnded()
        if (WIFEXITED(status)) return {WEXITSTATUS(status), 0};
        return {-1, WTERMSIG(status)};
    }

  private:
    pid_t leader_;
};

/// Splits a program's output into lines. A line is cut after kMaxLineBytes: the rest is dropped. A
/// carriage return within a line starts the line anew, as on a terminal.
class LineSplitter {
  public:
    explicit LineSplitter(const std::function<void(std::string_view)>& line) : line_(line) {}

    void add(std::string_view text) {
        for (const char c : text) {
            if (c == '\n') {
                endLine();
                continue;
            }
            if (c == '\r') {
                isReturnPending_ = true;
                continue;
            }
            if (isReturnPending_) startAnew();
            if (rest_.size() < kMaxLineBytes) rest_ += c;
        }
    }
    /// Ends a last line without a newline.
    void finish() {
        if (!rest_.empty()) endLine();
    }

  private:
    static constexpr std::size_t kMaxLineBytes = 4096;

    void endLine() {
        line_(rest_);
        startAnew();
    }
    void startAnew() {
        rest_.clear();
        isReturnPending_ = false;
    }

    const std::function<void(std::string_view)>& line_;
    std::string rest_;
    /// Whether the last character was '\r': unless '\n' follows, the line starts anew.
    bool isReturnPending_ = false;
};

/// A started program, with the reading ends of the pipes for its output and its failure to start.
struct StartedChild {
    FileDescriptor output;
    FileDescriptor failure;  ///< gives an errno if the program cannot be executed, else nothing
    ProcessGroup group;
};

StartedChild startChild(const fs::path& program, std::span<const std::string> arguments) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throwIoError(program, "cannot be started", errno, kStartRemedy);
    FileDescriptor output(pipe[0]);
    const FileDescriptor childOutput = aboveStandardStreams(pipe[1], program);
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throwIoError(program, "cannot be started", errno, kStartRemedy);
    FileDescriptor failure(pipe[0]);
    const FileDescriptor childFailure = aboveStandardStreams(pipe[1], program);
    const FileDescriptor nothing =
        aboveStandardStreams(::open("/dev/null", O_RDONLY | O_CLOEXEC), program);

    std::vector<std::string> words(arguments.begin(), arguments.end());
    words.insert(words.begin(), program.string());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) throwIoError(program, "cannot be started", errno, kStartRemedy);
    if (child == 0)
        becomeProgram(words.front().c_str(), argv.data(), childOutput.get(), nothing.get(),
                      childFailure.get(), parent);
    return {std::move(output), std::move(failure), ProcessGroup(child)};
}

/// Waits until the child executes the program. Throws IoError if the child cannot.
void requireStarted(const StartedChild& child, const fs::path& program) {
    int error = 0;
    ssize_t count = -1;
    do {
        count = read(child.failure.get(), &error, sizeof error);
    } while (count < 0 && errno == EINTR);
    if (count == static_cast<ssize_t>(sizeof error))
        throwIoError(program, "cannot be started", error, kProgramRemedy);
}

/// Appends the child's output to its log and splits it into lines, until the child has ended.
/// Throws Cancelled; IoError if the log cannot be written.
void copyOutput(const StartedChild& child, const FileDescriptor& logFile, const fs::path& log,
                LineSplitter& lines, const std::stop_token& cancel) {
    constexpr int kPollMilliseconds = 10;
    std::array<char, 1 << 16> buffer{};
    const auto copyOnce = [&] {
        ssize_t count = -1;
        do {
            count = read(child.output.get(), buffer.data(), buffer.size());
        } while (count < 0 && errno == EINTR);
        if (count <= 0) return 0;
        const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
        writeAll(logFile, asBytes(text), log, kLogRemedy);
        lines.add(text);
        if (cancel.stop_requested()) throw Cancelled();
        return static_cast<int>(count);
    };
    pollfd wait{child.output.get(), POLLIN, 0};
    for (bool open = true; !child.group.hasEnded();) {
        if (cancel.stop_requested()) throw Cancelled();
        // One read a turn: children of the program may keep writing after the program's end.
        if (!open)
            poll(nullptr, 0, kPollMilliseconds);
        else if (poll(&wait, 1, kPollMilliseconds) > 0)
            open = copyOnce() > 0;
    }
    // Output from before the program's end is still in the pipe.
    int unreadBytes = 0;
    if (ioctl(child.output.get(), FIONREAD, &unreadBytes) != 0) unreadBytes = 0;
    while (unreadBytes > 0) {
        const int count = copyOnce();
        if (count == 0) break;
        unreadBytes -= count;
    }
    lines.finish();
}

}  // namespace

fs::path findExecutable(const std::string& name) {
    const char* const folders = std::getenv("PATH");
    if (folders == nullptr) return {};
    for (const std::string& folder : split(folders, ':')) {
        fs::path program = fs::path(folder.empty() ? "." : folder) / name;
        if (isFile(program) && access(program.c_str(), X_OK) == 0) return program;
    }
    return {};
}

ProgramResult runProgram(const fs::path& program, std::span<const std::string> arguments,
                         const fs::path& log, const std::function<void(std::string_view)>& onLine,
                         const std::stop_token& cancel) {
    if (cancel.stop_requested()) throw Cancelled();
    const FileDescriptor logFile = openRegularFile(log, O_WRONLY | O_CREAT | O_APPEND,
                                                   "the log cannot be written", kLogRemedy);
    StartedChild child = startChild(program, arguments);
    requireStarted(child, program);
    ProgramResult result;
    const std::function<void(std::string_view)> keepLast = [&](std::string_view line) {
        if (line.find_first_not_of(" =") != std::string_view::npos) result.lastLine = line;
        if (onLine) onLine(line);
    };
    LineSplitter lines(keepLast);
    copyOutput(child, logFile, log, lines, cancel);
    result.status = child.group.end();
    return result;
}

std::string failureText(std::string_view name, const ProgramResult& result) {
    const ExitStatus& status = result.status;
    if (status.terminatingSignal != 0)
        return fmt::format("{} was ended by signal {}", name, status.terminatingSignal);
    std::string text = fmt::format("{} ended with exit code {}", name, status.exitCode);
    return result.lastLine.empty() ? text : text + ": " + result.lastLine;
}

}  // namespace threefold
