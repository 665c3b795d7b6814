#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace threefold {

/// Adds an option or argument with the value placeholder `word`: "N", "FILE".
template <class Value>
CLI::Option* addValue(CLI::App& command, const std::string& name, Value& value,
                      const std::string& word, const std::string& help) {
    return command.add_option(name, value, help)->option_text(word);
}

/// Adds an option with comma-separated values.
template <class Value>
CLI::Option* addList(CLI::App& command, const std::string& name, Value& value,
                     const std::string& word, const std::string& help) {
    return addValue(command, name, value, word, help)->delimiter(',')->allow_extra_args(false);
}

}  // namespace threefold
