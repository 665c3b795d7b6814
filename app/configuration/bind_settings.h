#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/configuration/setting.h"

namespace threefold {

struct Configuration;

/// Binds an option to a setting, which gives the option's default, range and help;
/// applyConfiguration() then finds the option. Returns the option.
CLI::Option* bindSetting(CLI::Option& option, const Setting& setting);

/// Adds the setting's option. Sets `value` to the default (if any) now, and to the given value on
/// parsing.
template <class Value>
CLI::Option* addSetting(CLI::App& command, const Setting& setting, Value& value) {
    return bindSetting(*command.add_option(setting.option, value)->option_text(setting.placeholder),
                       setting);
}
/// Adds a list option, whose value acceptsList() must accept.
template <class Value>
CLI::Option* addSetting(CLI::App& command, const Setting& setting, std::vector<Value>& values) {
    const auto take = [&values, &setting](const std::vector<Value>& given) {
        std::vector<std::string> texts;
        for (const Value& value : given) texts.push_back(fmt::format("{}", value));
        if (!acceptsList(setting, texts))
            throw CLI::ValidationError(fmt::format("{}: {}: expected {}", setting.option,
                                                   fmt::join(texts, ","), countText(setting)));
        values = given;
    };
    CLI::Option* const option =
        command.add_option_function<std::vector<Value>>(setting.option, take)
            ->option_text(setting.placeholder);
    option->delimiter(',')->allow_extra_args(false);
    return bindSetting(*option, setting);
}
/// Adds an option in MiB. Sets `bytes` to the default now, and to the given value on parsing.
CLI::Option* addMebibytes(CLI::App& command, const Setting& setting, std::size_t& bytes);
/// Adds a flag.
CLI::Option* addSetting(CLI::App& command, const Setting& setting, bool& value);
/// Adds an option that calls `take` with the default now, and with the given word on parsing.
CLI::Option* addSettingWord(CLI::App& command, const Setting& setting,
                            const std::function<void(const std::string&)>& take);

/// Whether the command has an option bound to a setting outside [log]; all commands have options
/// for [log].
bool usesSettings(CLI::App& command);

/// Applies the files' values to options that the command line left out. `commands`: the program and
/// the chosen commands, parsed; an option given to one command counts for all. The help shows the
/// new defaults. Values that a command refuses become problems.
void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands);

}  // namespace threefold
