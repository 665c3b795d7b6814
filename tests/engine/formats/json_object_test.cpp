#include "engine/formats/text/json_object.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"

namespace threefold {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JsonObjectTest : public testing::Test {
  protected:
    std::string messageOf(const std::function<void(const JsonObject& object)>& read) const {
        try {
            read(object_);
        } catch (const FormatError& error) {
            return error.what();
        }
        return "";
    }

    const nlohmann::json json_ = nlohmann::json::parse(
        R"({"number": 2.5, "whole": 3.0, "text": "7.25", "list": [1, "2"], "empty": "",
            "nothing": null, "id": 12, "vector": [1, 2, 3]})");
    const std::filesystem::path file_ = "cameras.json";
    const JsonObject object_{json_, "views[2]", file_, "Export it again."};
};

TEST(ParseJson, refusesAKeyThatAnObjectHasTwice) {
    const auto parsed = [](std::string_view text, std::vector<std::string_view> skipped = {}) {
        return parseJson(asBytes(text), "cameras.json", "Export it again.", skipped);
    };
    const auto problemOf = [&](std::string_view text) -> std::string {
        try {
            parsed(text);
        } catch (const FormatError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(problemOf(R"({"a": [{"f": 1, "w": 2, "f": 3}]})"),
                HasSubstr("cameras.json: has the key 'f' twice in one object. Export it again."));
    EXPECT_THAT(problemOf(R"({"views": {"b": 1}, "views": []})"), HasSubstr("'views' twice"));
    EXPECT_THAT(problemOf(R"({"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 1}})"), IsEmpty());
    EXPECT_EQ(parsed(R"({"skip": {"a": 1, "a": 2}, "a": {"b": 3}})", {"skip"}),
              nlohmann::json({{"a", {{"b", 3}}}}));
}

TEST_F(JsonObjectTest, namesFilePlaceAndRemedy_whenAValueIsWrong) {
    const auto isReport =
        AllOf(HasSubstr("cameras.json"), HasSubstr("views[2].text"), HasSubstr("Export it again."));
    EXPECT_THAT(messageOf([](const JsonObject& o) { o.number("text"); }), isReport);
    EXPECT_THAT(messageOf([](const JsonObject& o) { o.vector("text"); }), isReport);
    EXPECT_THAT(messageOf([](const JsonObject& o) { o.integer("text", 0, 9); }), isReport);
}

TEST_F(JsonObjectTest, throws_whenAKeyIsMissing) {
    EXPECT_THROW(object_.number("absent"), FormatError);
    EXPECT_THROW(object_.isList("absent"), FormatError);
    EXPECT_FALSE(object_.has("absent"));
    EXPECT_FALSE(object_.has("nothing"));
    EXPECT_EQ(object_.optionalNumber("absent"), std::nullopt);
    EXPECT_EQ(object_.optionalNumber("nothing"), std::nullopt);
    EXPECT_EQ(object_.optionalVector("absent"), std::nullopt);
}

TEST_F(JsonObjectTest, checksTheRangeOfNumbers) {
    EXPECT_EQ(object_.integer("whole", 3, 3), 3);
    EXPECT_THROW(object_.integer("number", 0, 9), FormatError);
    EXPECT_THROW(object_.integer("whole", 4, 9), FormatError);
    EXPECT_EQ(object_.number("number", 2, 3), 2.5);
    EXPECT_THROW(object_.number("number", 3, 4), FormatError);
}

TEST_F(JsonObjectTest, readsNumbersInTexts_whenLenient) {
    EXPECT_EQ(object_.numberOrText("text"), 7.25);
    EXPECT_THAT(object_.numbersOrTexts("list", 2, 2), ElementsAre(1, 2));
    EXPECT_THAT(object_.numbersOrTexts("empty", 0, 4), IsEmpty());
    EXPECT_THROW(object_.numbers("list", 2, 2), FormatError);
}

TEST_F(JsonObjectTest, readsIntegersAsText) {
    EXPECT_EQ(object_.textOrInteger("id"), "12");
    EXPECT_EQ(object_.textOrInteger("text"), "7.25");
    EXPECT_THROW(object_.textOrInteger("number"), FormatError);
}

}  // namespace
}  // namespace threefold
