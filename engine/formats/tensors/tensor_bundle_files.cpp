#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/tensors/tensor_bundle.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndexEnding = ".index";
/// ".data-00000-of-00002"
constexpr std::string_view kDataBeginning = ".data-";
constexpr std::size_t kDataEndingSize = kDataBeginning.size() + 5 + 4 + 5;
constexpr std::uintmax_t kLargestNote = std::uintmax_t{1} << 20;

bool isFile(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

fs::path withEnding(const fs::path& prefix, std::string_view ending) {
    return fs::path(prefix).concat(ending);
}

/// What is before ".data-NNNNN-of-NNNNN"; nothing where the name does not end so.
std::optional<fs::path> prefixOfShard(const fs::path& path) {
    const std::string name = path.filename().string();
    if (name.size() <= kDataEndingSize) return std::nullopt;
    const std::string_view ending = std::string_view(name).substr(name.size() - kDataEndingSize);
    const auto isNumber = [](std::string_view text) {
        return text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (!ending.starts_with(kDataBeginning) || !isNumber(ending.substr(6, 5)) ||
        ending.substr(11, 4) != "-of-" || !isNumber(ending.substr(15, 5)))
        return std::nullopt;
    return path.parent_path() / name.substr(0, name.size() - kDataEndingSize);
}

/// The file `checkpoint` of a folder says: model_checkpoint_path: "model.ckpt-10".
std::optional<fs::path> newestOf(const fs::path& folder) {
    const fs::path note = folder / "checkpoint";
    if (!isFile(note)) return std::nullopt;
    const std::vector<std::byte> bytes = readFile(note, kLargestNote);
    std::string_view text = asText(bytes);
    constexpr std::string_view kKey = "model_checkpoint_path:";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.starts_with(kKey)) continue;
        const std::size_t open = line.find('"');
        const std::size_t close = line.rfind('"');
        if (open == std::string_view::npos || close <= open + 1) return std::nullopt;
        const fs::path named(line.substr(open + 1, close - open - 1));
        // An absolute path is of the machine that trained; the folder has moved since.
        if (isFile(withEnding(folder / named, kIndexEnding))) return folder / named;
        return folder / named.filename();
    }
    return std::nullopt;
}

/// The only checkpoint of a folder; nothing where there is none.
std::optional<fs::path> onlyOneOf(const fs::path& folder) {
    std::vector<std::string> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        std::string name = entry.path().filename().string();
        if (name.ends_with(kIndexEnding)) found.push_back(std::move(name));
    }
    if (found.empty()) return std::nullopt;
    std::sort(found.begin(), found.end());
    if (found.size() > 1)
        throw InputError({folder.string(), "",
                          fmt::format("holds {} checkpoints and no file 'checkpoint' that says "
                                      "which is meant: {}, {}…",
                                      found.size(), found[0], found[1]),
                          "Give the '.index' file of the one you want."});
    return folder / found[0].substr(0, found[0].size() - kIndexEnding.size());
}

std::optional<fs::path> prefixOf(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
        if (auto newest = newestOf(path)) return newest;
        return onlyOneOf(path);
    }
    const std::string name = path.filename().string();
    if (name.ends_with(kIndexEnding))
        return path.parent_path() / name.substr(0, name.size() - kIndexEnding.size());
    if (auto prefix = prefixOfShard(path)) return prefix;
    if (!isFile(path) && isFile(withEnding(path, kIndexEnding))) return path;
    return std::nullopt;
}

}  // namespace

std::optional<TensorBundleFiles> findTensorBundle(const std::filesystem::path& path) {
    const std::optional<fs::path> prefix = prefixOf(path);
    if (!prefix) return std::nullopt;
    TensorBundleFiles files{withEnding(*prefix, kIndexEnding), {}};
    const MappedFile mapped(files.index);
    const TensorBundleIndex index = decodeTensorBundleIndex(mapped.bytes(), files.index);
    for (std::uint32_t shard = 0; shard < index.shardCount; ++shard)
        files.shards.push_back(
            withEnding(*prefix, fmt::format(".data-{:05}-of-{:05}", shard, index.shardCount)));
    return files;
}

TensorBundle::TensorBundle(TensorBundleFiles files) : files_(std::move(files)) {
    const MappedFile mapped(files_.index);
    index_ = decodeTensorBundleIndex(mapped.bytes(), files_.index);
    for (const fs::path& shard : files_.shards) {
        if (!isFile(shard))
            throw IoError({shard.string(), "",
                           fmt::format("is missing: the checkpoint consists of '{}' and {} data "
                                       "file{}",
                                       files_.index.filename().string(), files_.shards.size(),
                                       files_.shards.size() == 1 ? "" : "s"),
                           "Copy all files of the checkpoint into one folder."});
        shards_.emplace_back(shard);
    }
    if (shards_.size() != index_.shardCount)
        throw FormatError({files_.index.string(), "", "changed while it was read", "Try again."});
}

Array TensorBundle::read(const std::string& name) const {
    const std::uint32_t shard = index_.entries.at(name).shard;
    return decodeTensorBundleEntry(index_, name, shards_[shard].bytes(), files_.shards[shard]);
}

}  // namespace threefold
