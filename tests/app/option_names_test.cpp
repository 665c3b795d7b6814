#include "app/console/option_names.h"

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/commands/commands.h"
#include "engine/setting.h"

namespace threefold::test {
namespace {

using testing::Contains;

/// Short and long names of all options of all commands.
std::vector<std::string> allOptions() {
    CLI::App program("", "threefold");
    CommandLine line;
    describeProgram(program, line);
    std::vector<std::string> names;
    const std::function<void(CLI::App&)> collect = [&](CLI::App& app) {
        for (const CLI::Option* option : app.get_options()) {
            for (const std::string& name : option->get_snames()) names.push_back('-' + name);
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        }
        for (CLI::App* below : app.get_subcommands({})) collect(*below);
    };
    collect(program);
    return names;
}

TEST(OptionNames, replaceSettingNames_inMessages) {
    EXPECT_EQ(withOptionNames("Use the processor (`backend=cpu`)."),
              "Use the processor (--backend cpu).");
    EXPECT_EQ(withOptionNames("`gt_space`: Choose another folder (`output`), or run `threefold`."),
              "--gt-space: Choose another folder (-o), or run `threefold`.");
}

TEST(OptionNames, nameTheCommand_thatChecksTheMachine) {
    EXPECT_EQ(withOptionNames("Check this machine (`doctor`)."),
              "Check this machine (`threefold doctor`).");
}

TEST(OptionNames, belongToACommand) {
    const std::vector<std::string> options = allOptions();
    for (const std::string_view setting : kSettings)
        EXPECT_THAT(options, Contains(withOptionNames('`' + std::string(setting) + '`')));
}

}  // namespace
}  // namespace threefold::test
