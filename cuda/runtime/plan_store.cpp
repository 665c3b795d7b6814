#include "cuda/runtime/plan_store.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/error.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/resources.h"

namespace threefold::cuda {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestPlan = std::uintmax_t{16} << 20;

}  // namespace

fs::path defaultPlanFolder() {
    return userFolder("XDG_CACHE_HOME", ".cache");
}

PlanStore::PlanStore(fs::path folder, LogFunction log)
    : folder_(std::move(folder)), log_(std::move(log)) {}

fs::path PlanStore::fileOf(const PlanKey& key) const {
    return folder_ / fmt::format("plan-{}.json", keyHash(key).substr(0, 16));
}

std::optional<Plan> PlanStore::load(const PlanKey& key) const {
    if (folder_.empty()) return std::nullopt;
    const fs::path file = fileOf(key);
    std::error_code ignored;
    if (!fs::exists(file, ignored)) {
        log(LogLevel::debug, fmt::format("{}: no plan yet", file.string()));
        return std::nullopt;
    }
    try {
        const std::vector<std::byte> bytes = readFile(file, kLargestPlan);
        return decodePlan({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, key,
                          file.string());
    } catch (const Error& error) {
        log(LogLevel::warning, error.what());
        return std::nullopt;
    }
}

bool PlanStore::save(const PlanKey& key, const Plan& plan) const {
    const std::string text = encodePlan(key, plan);
    if (folder_.empty()) return false;
    try {
        std::error_code error;
        fs::create_directories(folder_, error);
        if (error) {
            throw IoError(
                {folder_.string(), "", fmt::format("cannot be made: {}", error.message()), ""});
        }
        writeFileWhole(fileOf(key), text);
        return true;
    } catch (const IoError& error) {
        log(LogLevel::warning, fmt::format("The plan is not kept: {}", error.what()));
        return false;
    }
}

void PlanStore::log(LogLevel level, const std::string& line) const {
    if (log_) log_(level, line);
}

}  // namespace threefold::cuda
