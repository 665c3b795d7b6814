#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "app/configuration/number_range.h"
#include "tests/app/process.h"

namespace threefold::test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

struct NumericOption {
    Words command;  ///< such as "bench", "latency"
    std::string name;
    bool whole = false;
    int values = 1;  ///< minimum number of values that the option takes
};

/// All options, of all commands, that take numbers.
std::vector<NumericOption> numericOptions() {
    CLI::App program("", "threefold");
    CommandLine line;
    describeProgram(program, line);
    std::vector<NumericOption> all;
    const std::function<void(CLI::App&, const Words&)> collect = [&](CLI::App& app,
                                                                     const Words& words) {
        for (CLI::Option* option : app.get_options()) {
            const std::string type = option->get_type_name();
            const bool whole = type.find("INT") != type.npos;
            if (option->get_items_expected_max() == 0 ||
                (!whole && type.find("FLOAT") == type.npos))
                continue;
            all.push_back({words, option->get_name(), whole, option->get_items_expected_min()});
            EXPECT_NO_THROW(option->get_validator(kNumberCheck))
                << testing::PrintToString(words) << option->get_name();
        }
        for (CLI::App* below : app.get_subcommands({})) {
            Words longer = words;
            longer.push_back(below->get_name());
            collect(*below, longer);
        }
    };
    collect(program, {});
    return all;
}

/// The parser's error message for this value of the option; empty if the parser accepts the value.
std::string problemOf(const NumericOption& option, const std::string& value) {
    CLI::App program("", "threefold");
    CommandLine line;
    describeProgram(program, line);
    std::string all = value;
    for (int i = 1; i < option.values; ++i) all += "," + value;
    Words words = option.command;
    words.push_back(option.name + "=" + all);
    std::reverse(words.begin(), words.end());
    try {
        program.parse(words);
    } catch (const CLI::ValidationError& error) {
        return error.what();
    } catch (const CLI::RequiredError&) {
        return {};  // thrown after the values were checked, so the value is accepted
    } catch (const CLI::ParseError& error) {
        return std::string("no range: ") + error.what();
    }
    return {};
}

TEST(Numbers, areRefusedWithTheRange_whenMalformedOrNotFinite) {
    const std::vector<NumericOption> options = numericOptions();
    EXPECT_GT(options.size(), 60U);
    for (const NumericOption& option : options) {
        SCOPED_TRACE(testing::PrintToString(option.command) + option.name);
        Words bad = {"nan",    "-nan",     "NaN", "inf",   "-inf", "infinity", "1e400",
                     "-1e400", "1e999999", "x",   "1x",    "1 2",  " ",        "--",
                     "0x",     "1e",       ".",   "1.2.3", "1;2"};
        if (option.whole) bad.insert(bad.end(), {"1.5", "2.0", "1e3", "99999999999999999999999"});
        for (const std::string& value : bad)
            EXPECT_THAT(problemOf(option, value), HasSubstr(": expected ")) << value;
        // An option that refuses -1 must refuse all negative numbers, and −0.
        if (problemOf(option, "-1").empty()) continue;
        for (const char* value : {"-0", "-0.0", "-1", "-1e-9"})
            EXPECT_THAT(problemOf(option, value), HasSubstr(": expected ")) << value;
    }
}

TEST(Numbers, areRefused_whenTheyHoldACommaOutsideAList) {
    for (const NumericOption& option : numericOptions()) {
        CLI::App program("", "threefold");
        CommandLine line;
        describeProgram(program, line);
        CLI::App* command = &program;
        for (const std::string& word : option.command) command = command->get_subcommand(word);
        if (command->get_option(option.name)->get_delimiter() == ',') continue;
        EXPECT_THAT(problemOf(option, "97,5"), HasSubstr(": expected ")) << option.name;
    }
}

TEST(Numbers, areAccepted_whenInTheRangeOfTheirOption) {
    const std::vector<std::pair<NumericOption, Words>> options = {
        {{{"board"}, "--bar"}, {"97.5", "10", "1e2", "+97.5", "1000"}},
        {{{"board"}, "--marker-side"}, {"24.5", "0.1"}},
        {{{"cameras"}, "--camera-distance"}, {"450.5", "1e-3"}},
        {{{"frames"}, "--count"}, {"3", "60", "1000"}},
        {{{"turntable"}, "--focal-mm35"}, {"26.5", "5"}},
        {{{"turntable"}, "--step"}, {"7.5", "0.1", "180"}},
        {{{"figure"}, "--width"}, {"85.5", "30"}},
        {{{"figure"}, "--camera", false, 2}, {"-12.5", "-0", "30"}},
        {{{"reconstruct"}, "--object-centre", false, 3}, {"-1.5", "0", "1e-3"}},
        {{{"render"}, "--test-fraction"}, {"0.25", "0", "1"}},
        {{{"render"}, "--seed"}, {"0", "007", "18446744073709551615"}}};
    for (const auto& [option, values] : options)
        for (const std::string& value : values)
            EXPECT_EQ(problemOf(option, value), "") << option.name << value;
}

TEST(Numbers, areRefusedWithTheRange_whenBeyond64Bits) {
    for (const char* seed :
         {"18446744073709551616", "18446744073709551617", "18446744073709552000"})
        EXPECT_THAT(problemOf({{"render"}, "--seed"}, seed),
                    testing::HasSubstr("expected 0 to 18446744073709551615"));
}

TEST(Numbers, areRefused_whenEmpty) {
    for (const NumericOption& option : numericOptions()) {
        Words words = option.command;
        words.insert(words.end(), {option.name, ""});
        CLI::App program("", "threefold");
        CommandLine line;
        describeProgram(program, line);
        std::reverse(words.begin(), words.end());
        EXPECT_THROW(program.parse(words), CLI::ParseError) << option.name;
    }
    for (const Words& words :
         std::vector<Words>{{"reconstruct", "a", "-o", "b", "--fit", ""},
                            {"reconstruct", "a", "-o", "b", "--fit="},
                            {"reconstruct", "a", "-o", "b", "--texture", ""}}) {
        const ProcessResult result = runThreefold(words);
        EXPECT_EQ(result.exitCode, 2);
        EXPECT_THAT(result.errors, HasSubstr("is empty"));
    }
}

TEST(Numbers, areRefused_whenMalformedInAnOptionThatAcceptsWords) {
    const std::vector<Words> options = {{"reconstruct", "a", "-o", "b", "--fit-views"},
                                        {"reconstruct", "a", "-o", "b", "--texture"},
                                        {"render", "a", "-o", "b", "--azimuth"},
                                        {"render", "a", "-o", "b", "--elevation"},
                                        {"render", "a", "-o", "b", "--distance"},
                                        {"eval", "a", "-o", "b", "--shard"}};
    for (Words words : options)
        for (const char* value : {"nan", "inf", "1e400", "-1e400", "x"}) {
            Words all = words;
            all.push_back(value);
            const ProcessResult result = runThreefold(all);
            EXPECT_EQ(result.exitCode, 2) << testing::PrintToString(all) << result.errors;
        }
}

}  // namespace
}  // namespace threefold::test
