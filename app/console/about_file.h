#pragma once

#include <cerrno>
#include <filesystem>
#include <new>

#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

/// What `work` returns, which reads `file`. Where it runs out of memory, throws an IoError that
/// names the file.
template <class Work>
auto aboutFile(const std::filesystem::path& file, const Work& work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        failIo(file, "cannot be read", ENOMEM, "");
    }
}

}  // namespace threefold
