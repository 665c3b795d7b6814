#include "engine/pipeline/worker_counts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// Threads beyond the mean's need: samples differ, and the network should not wait for a slow one.
constexpr double kSlack = 1.25;

/// A step must gain at least this.
constexpr double kWorthwhile = 1.03;

std::size_t threadsFor(double milliseconds, double interval, std::size_t most) {
    if (milliseconds <= 0) return 1;
    const double threads =
        interval > 0 ? std::ceil(kSlack * milliseconds / interval) : static_cast<double>(most);
    return std::clamp<std::size_t>(
        static_cast<std::size_t>(std::min(threads, static_cast<double>(most))), 1, most);
}

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

WorkerPlanner::WorkerPlanner(std::size_t cores, bool device, WorkerCounts found)
    : cores_(std::max<std::size_t>(cores, 1)), device_(device) {
    // Decoding three images takes about as long as a reconstruction on a GPU.
    if (device_)
        sizes_ = {std::max<std::size_t>(1, cores_ / 2), std::max<std::size_t>(1, cores_ / 4)};
    sizes_.loaders = std::max(sizes_.loaders, std::min(found.loaders / 2, kMostLoaders));
    sizes_.finishers = std::max(sizes_.finishers, std::min(found.finishers / 2, cores_));
}

WorkerCounts WorkerPlanner::wanted(const SampleCosts& costs) const {
    const double onCores = (costs.loadOnCore + costs.finishOnCore) / static_cast<double>(cores_);
    // On the processor the network takes the cores in turn with all else.
    const double interval = device_ ? std::max(costs.network, onCores) : costs.network + onCores;
    return {threadsFor(costs.load, interval, kMostLoaders),
            threadsFor(costs.finish, interval, cores_)};
}

WorkerCounts WorkerPlanner::next(const SampleCosts& costs, double rate) {
    if (rateBefore_ >= 0) {
        const bool paid = rate > kWorthwhile * rateBefore_;
        rateBefore_ = -1;
        if (!paid) {
            sizes_ = before_;
            patience_ = kPatience;
            return sizes_;
        }
    }
    if (patience_ > 0) {
        --patience_;
        return sizes_;
    }
    const WorkerCounts goal = wanted(costs);
    const auto stepped = [](std::size_t now, std::size_t most) {
        return std::clamp(most, now, 2 * now);
    };
    const WorkerCounts next{stepped(sizes_.loaders, goal.loaders),
                            stepped(sizes_.finishers, goal.finishers)};
    if (next == sizes_) return sizes_;
    rateBefore_ = rate;
    before_ = std::exchange(sizes_, next);
    return sizes_;
}

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
                       {"loaders", orElse(sizes.workers.loaders, kept.workers.loaders)},
                       {"finishers", orElse(sizes.workers.finishers, kept.workers.finishers)}};
    try {
        std::error_code ignored;
        std::filesystem::create_directories(folder_, ignored);
        writeFileWhole(file(), jsonText(json, 2) + '\n');
    } catch (const IoError& error) {
        log(error.what());
    }
}

}  // namespace threefold
