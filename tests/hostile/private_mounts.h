#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

namespace threefold::test {

/// Runs a part of a test in a process of its own that may mount; what it mounts ends with it.
/// False where the system permits none. A failed expectation of the part fails the test.
bool withPrivateMounts(const std::function<void()>& part);

/// Makes or resizes a file system of so many bytes at a folder. Within the above.
void mountDisk(const std::filesystem::path& folder, std::size_t bytes, bool resize = false);

/// Makes a file system of so many files and folders at most at a folder. Within the above.
void mountDiskOfFiles(const std::filesystem::path& folder, std::size_t files);

}  // namespace threefold::test
