#include "engine/pipeline/kept_sizes.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/json_list.h"

namespace threefold {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uintmax_t kLargestFile = 1 << 16;
constexpr std::size_t kMost = 4096;  ///< of each size

/// 0 where it is no such number: it is found out anew.
std::size_t sizeIn(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_unsigned()) return 0;
    const auto size = found->get<std::uint64_t>();
    return size <= kMost ? size : 0;
}

std::size_t orElse(std::size_t size, std::size_t kept) {
    return size > 0 ? size : kept;
}

}  // namespace

KeptSizes::KeptSizes(std::filesystem::path folder, std::string circumstances, LogFunction log)
    : folder_(std::move(folder)), circumstances_(std::move(circumstances)), log_(std::move(log)) {}

std::filesystem::path KeptSizes::file() const {
    return folder_ / fmt::format("sizes-{}.json", sha256(asBytes(circumstances_)).substr(0, 16));
}

RunSizes KeptSizes::load() const {
    if (folder_.empty() || !pathExists(file())) return {};
    try {
        const std::vector<std::byte> bytes = readFile(file(), kLargestFile);
        const Json json = Json::parse(asText(bytes), nullptr, false);
        if (json.is_object() && json.value("for", Json()) == circumstances_)
            return {sizeIn(json, "batch"), {sizeIn(json, "loaders"), sizeIn(json, "finishers")}};
        log(file().string() + " is no file of sizes, or for something else");
    } catch (const IoError& error) {
        log(error.what());
    }
    return {};
}

void KeptSizes::save(const RunSizes& sizes) const {
    if (folder_.empty()) return;
    const RunSizes kept = load();
    const Json json = {{"for", circumstances_},
                       {"batch", orElse(sizes.batch, kept.batch)},
                       {"loaders", orElse(sizes.crews.loaders, kept.crews.loaders)},
                       {"finishers", orElse(sizes.crews.finishers, kept.crews.finishers)}};
    try {
        std::error_code ignored;
        std::filesystem::create_directories(folder_, ignored);
        writeFileWhole(file(), jsonText(json, 2) + '\n');
    } catch (const IoError& error) {
        log(error.what());
    }
}

}  // namespace threefold
