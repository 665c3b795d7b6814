#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

namespace threefold::test {

/// Runs `part` in a child process that may mount file systems; its mounts end with the process.
/// Returns false if the system permits no mounts. A failed expectation in `part` fails the test.
bool withPrivateMounts(const std::function<void()>& part);

/// Mounts, or resizes, a file system of `bytes` bytes at a folder. Call inside withPrivateMounts().
void mountDisk(const std::filesystem::path& folder, std::size_t bytes, bool resize = false);

/// Mounts a file system of at most `files` files and folders. Call inside withPrivateMounts().
void mountDiskWithMaxFiles(const std::filesystem::path& folder, std::size_t files);

}  // namespace threefold::test
