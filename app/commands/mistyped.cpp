#include "app/commands/mistyped.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "app/console/nearest_name.h"

namespace threefold {
namespace {

/// Suggestion for a mistyped name: the shortest name with the typed prefix if all other names with
/// this prefix begin with that shortest name, else the nearest name.
std::string suggestedName(const std::string& typed, std::vector<std::string> names) {
    std::ranges::stable_sort(names, {}, &std::string::size);
    std::string shortest;
    for (const std::string& name : names) {
        if (!name.starts_with(typed)) continue;
        if (shortest.empty()) shortest = name;
        if (!name.starts_with(shortest)) return nearestName(typed, names);
    }
    return shortest.empty() ? nearestName(typed, names) : shortest;
}

std::vector<std::string> commandNames(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::App* below : command.get_subcommands({})) names.push_back(below->get_name());
    return names;
}

std::vector<std::string> optionNames(std::span<CLI::App* const> commands) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands)
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// First file argument, which the window would show.
std::string firstFile(const CLI::App& program) {
    for (const CLI::Option* option : program.get_options())
        if (option->get_positional() && !option->results().empty())
            return option->results().front();
    return {};
}

ErrorReport unknownError(const std::string& word, const std::string& what,
                         const std::string& suggestion) {
    return {word, "", "there is no such " + what,
            suggestion.empty() ? "" : fmt::format("Did you mean {}?", suggestion)};
}

}  // namespace

std::optional<ErrorReport> mistypedCommand(const CLI::App& program) {
    const std::string word = firstFile(program);
    std::error_code unknown;
    if (word.empty() || std::filesystem::exists(word, unknown)) return std::nullopt;
    return unknownError(word, "command or file", suggestedName(word, commandNames(program)));
}

std::optional<ErrorReport> mistypedWord(std::span<CLI::App* const> commands) {
    const CLI::App& program = *commands.front();
    const CLI::App& command = *commands.back();
    const std::vector<std::string> unknown = program.remaining(true);
    if (unknown.empty()) return std::nullopt;
    if (commands.size() == 1)
        if (auto mistyped = mistypedCommand(program)) return mistyped;
    bool mayBeOptions = true;
    for (const std::string& given : unknown) {
        // CLI11 leaves the `--` that ends the options among the unparsed arguments.
        if (given == "--") {
            mayBeOptions = false;
            continue;
        }
        if (mayBeOptions && given.size() > 1 && given.front() == '-') {
            const std::string name = given.substr(0, given.find('='));
            return unknownError(name, "option", suggestedName(name, optionNames(commands)));
        }
        if (commands.size() > 1 && !commandNames(command).empty())
            return unknownError(given, "command", suggestedName(given, commandNames(command)));
    }
    return std::nullopt;
}

ErrorReport valueCountError(std::span<CLI::App* const> commands, const CLI::ParseError& reason) {
    const std::string text = reason.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&reason) == nullptr) return {text, "", "", ""};
    const auto values = [](int count) {
        return count == 1 ? std::string("one value") : fmt::format("{} values", count);
    };
    for (const CLI::App* command : commands)
        for (const CLI::Option* option : command->get_options()) {
            const std::string name = option->get_name();
            if (!text.starts_with(name + ':')) continue;
            const auto given = static_cast<int>(option->count());
            const int min = option->get_items_expected_min();
            const int max = option->get_items_expected_max();
            if (given >= min && given <= max) continue;
            const int expected = given < min ? min : max;
            return {name, "",
                    given == 0 ? fmt::format("takes {}, and has none", values(expected))
                               : fmt::format("takes {}, not {}", values(expected), given),
                    ""};
        }
    return {text, "", "", ""};
}

void addEmptyValueChecks(CLI::App& command) {
    const CLI::Validator given(
        [](const std::string& text) { return std::string(text.empty() ? "is empty" : ""); }, "");
    for (CLI::Option* option : command.get_options())
        if (option->get_items_expected_max() > 0) option->check(given);
    for (CLI::App* below : command.get_subcommands({})) addEmptyValueChecks(*below);
}

void requireNoEmptyValue(std::span<CLI::App* const> commands, std::span<char*> words) {
    for (const CLI::App* command : commands)
        for (const CLI::Option* option : command->get_options())
            for (std::size_t i = 0; i < words.size() && option->get_expected_min() == 0; ++i) {
                const std::string word = words[i];
                const bool empty = i + 1 < words.size() && *words[i + 1] == '\0';
                if (option->get_items_expected_max() > 0 &&
                    ((empty && option->check_name(word)) ||
                     (word.ends_with('=') && option->check_name(word.substr(0, word.size() - 1)))))
                    throw UsageError(
                        {option->get_name(), "", "is empty", "Give a value, or the option alone."});
            }
}

}  // namespace threefold
