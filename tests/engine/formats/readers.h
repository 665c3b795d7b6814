#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/formats/pictures/image.h"
#include "engine/formats/tensors/npz.h"
#include "engine/formats/tensors/safetensors.h"
#include "engine/views/camera.h"

namespace threefold::test {

using Bytes = std::span<const std::byte>;
using Path = std::filesystem::path;

/// A reader of untrusted bytes. A new reader needs a line in kReaders, and files in data/good and
/// data/broken; malformed_test.cpp then tests it.
struct Reader {
    std::string_view extension;
    void (*decode)(Bytes bytes, const Path& subject);
    bool isText = false;  ///< prefixes may be valid, and there is no signature
    bool refusesExtraByte = false;
};

inline constexpr Reader kReaders[] = {
    {".npy", [](Bytes b, const Path& p) { decodeNpy(b, p); }, false, true},
    {".npz", [](Bytes b, const Path& p) { decodeNpz(b, p); }},
    {".pkl", [](Bytes b, const Path& p) { decodePickle(b, p); }},
    {".safetensors", [](Bytes b, const Path& p) { decodeSafetensors(b, p); }, false, true},
    {".png", [](Bytes b, const Path& p) { decodeImage(b, p); }},
    {".jpg", [](Bytes b, const Path& p) { decodeImage(b, p); }},
    {".webp", [](Bytes b, const Path& p) { decodeImage(b, p); }},
    {".txt", [](Bytes b, const Path& p) { parseRenderingMetadata(asText(b), p); }, true},
};

inline const Reader& readerOf(const Path& file) {
    const auto* found = std::find_if(
        std::begin(kReaders), std::end(kReaders),
        [&](const Reader& reader) { return reader.extension == file.extension().string(); });
    if (found == std::end(kReaders)) throw std::logic_error("no reader for " + file.string());
    return *found;
}

inline Path dataFolder() {
    return Path(THREEFOLD_TEST_DATA) / "engine" / "formats" / "data";
}

/// Files of data/good or data/broken, sorted by name.
inline std::vector<Path> filesOf(std::string_view folder) {
    std::vector<Path> files;
    for (const auto& entry : std::filesystem::directory_iterator(dataFolder() / folder))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// File name as GoogleTest accepts it: "four_safetensors" for "four.safetensors".
inline std::string testName(const Path& file) {
    std::string name = file.filename().string();
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '.'; }, '_');
    return name;
}

}  // namespace threefold::test
