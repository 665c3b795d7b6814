#include "engine/formats/bytes/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

TemporaryFolder::TemporaryFolder(const std::string& purpose) {
    std::error_code error;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
    if (error)
        failIo("the temporary folder", "cannot be used", error.value(),
               "Let TMPDIR name a folder that exists.");
    std::string pattern = (parent / ("threefold-" + purpose + "-XXXXXX")).string();
    if (::mkdtemp(pattern.data()) == nullptr)
        failIo(parent, "no folder can be made in it", errno,
               "Let TMPDIR name a folder that can be written to.");
    path_ = pattern;
}

void TemporaryFolder::remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace threefold
