#include "tests/app/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/file_text.h"
#include "tests/support/poll_until.h"

namespace threefold::test {
namespace {

std::vector<std::string> environmentOf(StartOptions options, const std::filesystem::path& empty) {
    options.environment.try_emplace("XDG_CONFIG_HOME", empty.string());
    options.environment.try_emplace("THREEFOLD_SYSTEM_ROOT", empty.string());
    options.environment.try_emplace("THREEFOLD_RESOURCES", THREEFOLD_TEST_RESOURCES);
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('='));
        const bool dropped =
            options.environment.count(name) > 0 ||
            std::count(options.unsetVariables.begin(), options.unsetVariables.end(), name) > 0;
        if (!dropped) result.push_back(text);
    }
    for (const auto& [name, value] : options.environment) {
        result.push_back(name);
        result.back().append("=").append(value);
    }
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Makes `descriptor` append to a file, which is created if necessary; false on failure.
bool redirect(int descriptor, const std::string& file) {
    const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return opened >= 0 && dup2(opened, descriptor) == descriptor;
}

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const StartOptions& options) {
    std::vector<std::string> words = arguments;
    words.insert(words.begin(), THREEFOLD_PROGRAM);
    std::vector<std::string> variables = environmentOf(options, folder_ / "config");
    const std::vector<char*> argv = pointers(words);
    const std::vector<char*> envp = pointers(variables);
    const std::string out =
        options.outputFile.empty() ? (folder_ / "out").string() : options.outputFile;
    const std::string err = (folder_ / "err").string();

    id_ = fork();
    if (id_ < 0) throw std::system_error(errno, std::generic_category(), THREEFOLD_PROGRAM);
    if (id_ > 0) return;
    bool ready = options.outputClosed ? close(STDOUT_FILENO) == 0 : redirect(STDOUT_FILENO, out);
    ready = redirect(STDERR_FILENO, err) && ready;
    ready = (options.folder.empty() || chdir(options.folder.c_str()) == 0) && ready;
    // Background jobs of a shell ignore SIGINT, and execve() would keep SIGINT ignored.
    std::signal(SIGINT, SIG_DFL);
    if (options.prepare) options.prepare();
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed test must not leave this process running
    if (ready) execve(THREEFOLD_PROGRAM, argv.data(), envp.data());
    _exit(127);  // the shell's exit code for a command that cannot be started
}

Process::~Process() {
    if (id_ <= 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
}

void Process::send(int signal) const {
    if (id_ > 0) kill(id_, signal);
}

bool Process::waitForError(std::string_view text) const {
    return pollUntil([&] { return fileText(folder_ / "err").find(text) != std::string::npos; });
}

ProcessResult Process::wait() {
    int status = 0;
    rusage usage{};
    while (wait4(id_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    id_ = -1;
    ProcessResult result;
    result.peakBytes = static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
    if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    result.output = fileText(folder_ / "out");
    result.errors = fileText(folder_ / "err");
    return result;
}

ProcessResult runThreefold(const std::vector<std::string>& arguments, const StartOptions& options) {
    return Process(arguments, options).wait();
}

}  // namespace threefold::test
