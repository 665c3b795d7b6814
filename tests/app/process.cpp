#include "tests/app/process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace threefold::test {
namespace {

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> environment(StartOptions options, const std::filesystem::path& empty) {
    options.set.try_emplace("XDG_CONFIG_HOME", empty.string());
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('='));
        const bool dropped = options.set.count(name) > 0 ||
                             std::count(options.unset.begin(), options.unset.end(), name) > 0;
        if (!dropped) result.push_back(text);
    }
    for (const auto& [name, value] : options.set) {
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

}  // namespace

Process::Process(const std::vector<std::string>& arguments, const StartOptions& options) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const std::string out =
        options.outputFile.empty() ? (folder_ / "out").string() : options.outputFile;
    const std::string err = (folder_ / "err").string();
    constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND;
    if (options.outputClosed) {
        posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
    } else {
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kFlags, 0600);
    }
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kFlags, 0600);

    if (!options.folder.empty())
        posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str());

    // Whoever started the tests may ignore Ctrl-C (a script's background job does).
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    std::vector<std::string> words = arguments;
    words.insert(words.begin(), THREEFOLD_PROGRAM);
    std::vector<std::string> variables = environment(options, folder_ / "config");
    const int failure = posix_spawn(&id_, THREEFOLD_PROGRAM, &actions, &attributes,
                                    pointers(words).data(), pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        id_ = -1;
        throw std::system_error(failure, std::generic_category(), THREEFOLD_PROGRAM);
    }
}

Process::~Process() {
    if (id_ < 0) return;
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
}

void Process::send(int signal) const {
    kill(id_, signal);
}

Ended Process::wait() {
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
    Ended ended;
    if (WIFEXITED(status)) ended.exitCode = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.out = contents(folder_ / "out");
    ended.err = contents(folder_ / "err");
    return ended;
}

Ended runThreefold(const std::vector<std::string>& arguments, const StartOptions& options) {
    return Process(arguments, options).wait();
}

}  // namespace threefold::test
