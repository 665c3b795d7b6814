#include "cuda/runtime/tuning_plan.h"

#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "tests/cuda/runtime/tuning_plan_fixture.h"

namespace threefold::cuda {
namespace {

using test::someKey;
using test::somePlan;

/// Changes of one part of a key, by the part's name.
const std::map<std::string, std::function<void(TuningPlanKey&)>> kChanges = {
    {"gpu", [](TuningPlanKey& key) { key.gpu += "x"; }},
    {"compute_capability", [](TuningPlanKey& key) { ++key.computeCapability; }},
    {"driver", [](TuningPlanKey& key) { key.driver = "580.66"; }},
    {"cuda", [](TuningPlanKey& key) { key.cuda = ""; }},
    {"cublaslt", [](TuningPlanKey& key) { key.cublasLt += "1"; }},
    {"cudnn", [](TuningPlanKey& key) { key.cudnn += "1"; }},
    {"model", [](TuningPlanKey& key) { key.modelHash[0] = 'f'; }},
    {"precision", [](TuningPlanKey& key) { key.precision = Precision::float16; }},
    {"batch", [](TuningPlanKey& key) { key.batch = 2; }},
    {"views", [](TuningPlanKey& key) { key.views = 8; }},
    {"version", [](TuningPlanKey& key) { key.version += "1"; }},
};

std::string withChecksum(nlohmann::json json) {
    const std::string content = json.at("content").dump();
    json["sha256"] = sha256(asBytes(content));
    return json.dump(2) + '\n';
}

TEST(TuningPlan, isRestored_toTheBit) {
    const std::string text = encodePlan(someKey(), somePlan());
    EXPECT_EQ(decodePlan(text, someKey(), "plan"), somePlan());
    EXPECT_EQ(decodePlan(encodePlan(someKey(), {}), someKey(), "plan"), TuningPlan{});
}

TEST(TuningPlan, isStale_whenAnyPartOfTheKeyDiffers) {
    const std::string text = encodePlan(someKey(), somePlan());
    for (const auto& [name, change] : kChanges) {
        TuningPlanKey key = someKey();
        change(key);
        EXPECT_NE(keyHash(key), keyHash(someKey())) << name;
        try {
            decodePlan(text, key, "plan");
            ADD_FAILURE() << name;
        } catch (const InputError& error) {
            EXPECT_NE(error.report().problem.find("made for " + name), std::string::npos)
                << error.what();
        }
    }
}

TEST(TuningPlan, isRefused_whenAnyBitIsFlipped) {
    const std::string text = encodePlan(someKey(), somePlan());
    for (std::size_t at = 0; at < text.size(); ++at) {
        for (const int bit : {0, 1, 5, 7}) {
            std::string damaged = text;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            EXPECT_THROW(decodePlan(damaged, someKey(), "plan"), FormatError) << at;
        }
    }
}

TEST(TuningPlan, isRefused_whenTruncatedOrTooLong) {
    const std::string text = encodePlan(someKey(), somePlan());
    for (std::size_t length = 0; length < text.size(); ++length) {
        // A copy, so that the address sanitizer detects reads beyond its end.
        const std::string prefix = text.substr(0, length);
        EXPECT_THROW(decodePlan(prefix, someKey(), "plan"), FormatError) << length;
    }
    EXPECT_THROW(decodePlan(text + " ", someKey(), "plan"), FormatError);
    EXPECT_THROW(decodePlan(text + text, someKey(), "plan"), FormatError);
    EXPECT_THROW(decodePlan(std::string(100'000, '['), someKey(), "plan"), FormatError);
}

TEST(TuningPlan, isRefused_whenItsChecksumFitsButItsValuesDoNot) {
    using Json = nlohmann::json;
    const std::map<std::string, std::function<void(Json&)>> changes = {
        {"schema", [](Json& json) { json["schema"] = 1; }},
        {"format", [](Json& json) { json["format"] = "other"; }},
        {"range",
         [](Json& json) { json["content"]["plan"]["ranges"]["hypothesis block 1"][0] = -1; }},
        {"inf",
         [](Json& json) { json["content"]["plan"]["ranges"]["hypothesis block 1"][0] = 1e39; }},
        {"exact",
         [](Json& json) { json["content"]["plan"]["ranges"]["hypothesis block 1"][0] = 0.1; }},
        {"text", [](Json& json) { json["content"]["plan"]["algorithms"]["stage1 product 0"] = 7; }},
        {"more", [](Json& json) { json["content"]["plan"]["more"] = 1; }},
        {"extra", [](Json& json) { json["extra"] = 1; }},
        {"lacking", [](Json& json) { json["content"]["plan"].erase("ranges"); }},
        {"empty", [](Json& json) { json["content"]["plan"] = nullptr; }},
    };
    const Json sound = Json::parse(encodePlan(someKey(), somePlan()));
    EXPECT_EQ(decodePlan(withChecksum(sound), someKey(), "plan"), somePlan());
    for (const auto& [name, change] : changes) {
        Json json = sound;
        change(json);
        EXPECT_THROW(decodePlan(withChecksum(json), someKey(), "plan"), FormatError) << name;
    }
}

TEST(TuningPlan, isNotWritten_whenItsValuesAreOutOfRange) {
    const auto refused = [](const std::function<void(TuningPlan&)>& change) {
        TuningPlan plan = somePlan();
        change(plan);
        EXPECT_THROW(encodePlan(someKey(), plan), InputError);
    };
    refused([](TuningPlan& plan) { plan.ranges["a"] = {-1.0F}; });
    refused([](TuningPlan& plan) { plan.ranges["a"] = {std::numeric_limits<float>::infinity()}; });
    refused([](TuningPlan& plan) { plan.ranges["a"] = {std::numeric_limits<float>::quiet_NaN()}; });
    refused([](TuningPlan& plan) { plan.algorithms["a"] = "\xff"; });
}

}  // namespace
}  // namespace threefold::cuda
