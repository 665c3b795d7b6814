#include "app/reconstruct/output_file.h"

#include <fstream>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind) {
    if (file.empty()) return;
    requireWritable(file);
    std::error_code missing;
    if (std::filesystem::file_size(file, missing) == 0 || missing) return;
    std::string begins(beginning.size(), '\0');
    std::ifstream(file, std::ios::binary)
        .read(begins.data(), static_cast<std::streamsize>(begins.size()));
    if (begins == beginning) return;
    throw UsageError({option, file.string(), "exists, and is not " + kind,
                      "Name another file, or remove this one if it is not needed."});
}

}  // namespace threefold
