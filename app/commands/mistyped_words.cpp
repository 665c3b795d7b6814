#include "app/commands/mistyped_words.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/configuration/nearest_name.h"

namespace threefold {
namespace {

/// The shortest name that begins as typed, where all that do begin with it; else the nearest.
std::string meantName(const std::string& typed, std::vector<std::string> names) {
    std::ranges::stable_sort(names, {}, &std::string::size);
    std::string begun;
    for (const std::string& name : names) {
        if (!name.starts_with(typed)) continue;
        if (begun.empty()) begun = name;
        if (!name.starts_with(begun)) return nearestName(typed, names);
    }
    return begun.empty() ? nearestName(typed, names) : begun;
}

std::vector<std::string> commandNames(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* below : command.get_subcommands({})) names.push_back(below->get_name());
    return names;
}

std::vector<std::string> optionNames(std::span<CLI::App* const> commands) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands) {
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

/// The first of the files that the window would show.
std::string firstFile(const CLI::App& program) {
    for (const CLI::Option* option : program.get_options())
        if (option->get_positional() && !option->results().empty())
            return option->results().front();
    return {};
}

ErrorReport noSuch(const std::string& word, const std::string& what, const std::string& meant) {
    return {word, "", "there is no such " + what,
            meant.empty() ? "" : fmt::format("Did you mean {}?", meant)};
}

}  // namespace

std::optional<ErrorReport> mistypedCommand(const CLI::App& program) {
    const std::string word = firstFile(program);
    std::error_code unknown;
    if (word.empty() || std::filesystem::exists(word, unknown)) return std::nullopt;
    return noSuch(word, "command or file", meantName(word, commandNames(program)));
}

std::optional<ErrorReport> mistypedWord(std::span<CLI::App* const> commands) {
    const CLI::App& program = *commands.front();
    const CLI::App& command = *commands.back();
    const std::vector<std::string> unknown = program.remaining(true);
    if (unknown.empty()) return std::nullopt;
    if (commands.size() == 1) {
        if (auto mistyped = mistypedCommand(program)) return mistyped;
    }
    for (const std::string& given : unknown) {
        if (given.size() > 1 && given.front() == '-') {
            const std::string name = given.substr(0, given.find('='));
            return noSuch(name, "option", meantName(name, optionNames(commands)));
        }
        if (commands.size() > 1 && !commandNames(command).empty())
            return noSuch(given, "command", meantName(given, commandNames(command)));
    }
    return std::nullopt;
}

}  // namespace threefold
