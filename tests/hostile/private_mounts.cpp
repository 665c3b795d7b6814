#include "tests/hostile/private_mounts.h"

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

namespace threefold::test {
namespace {

constexpr int kNotPermitted = 77;

/// Enters a mount namespace; users other than root also enter a user namespace, as its root.
bool leaveMounts() {
    const uid_t user = geteuid();
    if (user == 0 ? unshare(CLONE_NEWNS) != 0 : unshare(CLONE_NEWNS | CLONE_NEWUSER) != 0)
        return false;
    if (user != 0) std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
    return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool mountTemporary(const std::filesystem::path& folder, unsigned long flags,
                    const std::string& limit) {
    return mount("tmpfs", folder.c_str(), "tmpfs", flags, limit.c_str()) == 0;
}

std::string sizeLimit(std::size_t bytes) {
    return "size=" + std::to_string(bytes);
}

}  // namespace

bool withPrivateMounts(const std::function<void()>& part) {
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        if (!leaveMounts() || !mountTemporary("/mnt", 0, sizeLimit(4096))) _exit(kNotPermitted);
        part();
        std::fflush(nullptr);
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    EXPECT_TRUE(code == 0 || code == kNotPermitted) << "in the process with its own mounts";
    return code != kNotPermitted;
}

void mountDisk(const std::filesystem::path& folder, std::size_t bytes, bool resize) {
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(mountTemporary(folder, resize ? MS_REMOUNT : 0, sizeLimit(bytes))) << folder;
}

void mountDiskWithMaxFiles(const std::filesystem::path& folder, std::size_t files) {
    std::filesystem::create_directories(folder);
    // The root folder is counted, too.
    const std::string limit = "nr_inodes=" + std::to_string(files + 1);
    ASSERT_TRUE(mountTemporary(folder, 0, limit)) << folder;
}

}  // namespace threefold::test
