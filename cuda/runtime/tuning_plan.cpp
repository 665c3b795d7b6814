#include "cuda/runtime/tuning_plan.h"

#include <cmath>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/folders.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/text/shallow_json.h"
#include "engine/resources.h"

namespace threefold::cuda {
namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "threefold plan";
constexpr int kSchema = 2;
constexpr int kMaxDepth = 8;

/// Describes the first fault in a plan's values; empty if the values are valid.
std::string findFault(const TuningPlan& plan) {
    for (const auto& [step, values] : plan.ranges) {
        for (const float value : values)
            if (!std::isfinite(value) || value < 0)
                return fmt::format("a range of '{}' is {}, it must be finite and not negative",
                                   step, value);
    }
    return {};
}

Json toJson(const TuningPlanKey& key) {
    return {{"gpu", key.gpu},           {"compute_capability", key.computeCapability},
            {"driver", key.driver},     {"cuda", key.cuda},
            {"cublaslt", key.cublasLt}, {"cudnn", key.cudnn},
            {"model", key.modelHash},   {"precision", std::string(precisionName(key.precision))},
            {"batch", key.batch},       {"views", key.views},
            {"version", key.version}};
}

Json toJson(const TuningPlan& plan) {
    return {{"algorithms", Json(plan.algorithms)}, {"ranges", Json(plan.ranges)}};
}

std::string checksum(const Json& content) {
    return sha256(asBytes(content.dump()));
}

// The caller has verified the checksum, and compares the text with the encoded result, so that
// nothing else needs a check here.
TuningPlan planFrom(const Json& json) {
    return {json.at("algorithms").get<std::map<std::string, std::string>>(),
            json.at("ranges").get<std::map<std::string, std::vector<float>>>()};
}

std::string difference(const Json& stored, const Json& expected) {
    for (const auto& [name, value] : expected.items()) {
        const auto other = stored.find(name);
        if (other == stored.end()) return fmt::format("it lacks {}", name);
        if (*other != value)
            return fmt::format("it was made for {} {}, here is {}", name, other->dump(),
                               value.dump());
    }
    return "it was made for something else";
}

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxPlanBytes = std::uintmax_t{16} << 20;

}  // namespace

std::string keyHash(const TuningPlanKey& key) {
    try {
        return checksum(toJson(key));
    } catch (const Json::exception& error) {
        throw InputError({"plan", "key", error.what(), ""});
    }
}

std::string encodePlan(const TuningPlanKey& key, const TuningPlan& plan) {
    if (const std::string fault = findFault(plan); !fault.empty())
        throw InputError({"plan", "", fault, ""});
    try {
        Json content = {{"key", toJson(key)}, {"plan", toJson(plan)}};
        Json file = {{"format", kFormat}, {"schema", kSchema}, {"sha256", checksum(content)}};
        file["content"] = std::move(content);
        return file.dump(2) + '\n';
    } catch (const Json::exception& error) {
        throw InputError({"plan", "", error.what(), ""});
    }
}

TuningPlan decodePlan(std::string_view text, const TuningPlanKey& key, const std::string& file) {
    const auto damaged = [&](const std::string& problem) {
        return FormatError({file, "", problem, "The plan is made again."});
    };
    try {
        const Json json = parseShallowJson<Json>(
            text, kMaxDepth, [&](const std::string& problem) { throw damaged(problem); });
        if (json.at("format") != kFormat || json.at("schema") != kSchema)
            throw damaged("is not a plan of this schema");
        const Json& content = json.at("content");
        if (json.at("sha256") != checksum(content))
            throw damaged("is damaged: its checksum does not fit");
        const Json expectedKey = toJson(key);
        if (content.at("key") != expectedKey)
            throw InputError({file, "", "is stale: " + difference(content.at("key"), expectedKey),
                              "The plan is made again."});
        TuningPlan plan = planFrom(content.at("plan"));
        if (const std::string fault = findFault(plan); !fault.empty()) throw damaged(fault);
        if (text != encodePlan(key, plan)) throw damaged("holds more than a plan");
        return plan;
    } catch (const Json::exception& error) {
        throw damaged(fmt::format("is damaged: {}", error.what()));
    }
}

fs::path defaultPlanFolder() {
    return xdgFolder("XDG_CACHE_HOME", ".cache");
}

TuningPlanStore::TuningPlanStore(fs::path folder, LogFunction log)
    : folder_(std::move(folder)), log_(std::move(log)) {}

fs::path TuningPlanStore::fileOf(const TuningPlanKey& key) const {
    return folder_ / fmt::format("plan-{}.json", keyHash(key).substr(0, 16));
}

std::optional<TuningPlan> TuningPlanStore::load(const TuningPlanKey& key) const {
    if (folder_.empty()) return std::nullopt;
    const fs::path file = fileOf(key);
    if (!pathExists(file)) {
        log(LogLevel::debug, fmt::format("{}: no plan yet", file.string()));
        return std::nullopt;
    }
    try {
        const std::vector<std::byte> bytes = readFile(file, kMaxPlanBytes);
        return decodePlan(asText(bytes), key, file.string());
    } catch (const Error& error) {
        log(LogLevel::warning, error.what());
        return std::nullopt;
    }
}

bool TuningPlanStore::save(const TuningPlanKey& key, const TuningPlan& plan) const {
    const std::string text = encodePlan(key, plan);
    if (folder_.empty()) return false;
    try {
        makeFolder(folder_);
        writeFileAtomically(fileOf(key), text);
        return true;
    } catch (const IoError& error) {
        log(LogLevel::warning, fmt::format("The plan is not kept: {}", error.what()));
        return false;
    }
}

}  // namespace threefold::cuda
