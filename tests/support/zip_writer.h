#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <zip.h>

namespace threefold::test {

/// A zip file of entries (name, content), all stored, or all deflated.
inline std::string zipped(const std::vector<std::pair<std::string, std::string>>& entries,
                          bool deflated = false) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* target = zip_source_buffer_create(nullptr, 0, 0, &error);
    zip_source_keep(target);
    zip_t* archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
    for (const auto& [name, content] : entries) {
        zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
        zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                                 deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    if (zip_close(archive) != 0) throw std::runtime_error("the zip file could not be written");
    std::string bytes;
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_source_stat(target, &status) == 0 && zip_source_open(target) == 0) {
        bytes.resize(status.size);
        zip_source_read(target, bytes.data(), bytes.size());
        zip_source_close(target);
    }
    zip_source_free(target);
    return bytes;
}

}  // namespace threefold::test
