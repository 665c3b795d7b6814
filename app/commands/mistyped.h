#pragma once

#include <optional>
#include <span>

#include <CLI/CLI.hpp>

#include "engine/error.h"

/// Messages for command-line mistakes that CLI11 does not report, or for which CLI11's wording
/// changes between versions.
namespace threefold {

/// Error for the program's first file argument if the file is missing; the remedy is empty if no
/// command has a similar name.
std::optional<ErrorReport> mistypedCommand(const CLI::App& program);

/// Error for the first word unknown to all chosen commands, with the nearest command or option as
/// remedy; nullopt if all words are known. `commands`: the program and the chosen commands, parsed.
std::optional<ErrorReport> mistypedWord(std::span<CLI::App* const> commands);

/// Error for an option with too few or too many values. The expected number comes from the option's
/// definition, not from CLI11's message, whose wording changes between versions. For other mistakes
/// returns CLI11's message.
ErrorReport valueCountError(std::span<CLI::App* const> commands, const CLI::ParseError& reason);

/// Makes the options of a command and of its subcommands refuse empty values: `--gt "$ROOT"` with
/// an unset ROOT is a mistake, not a request to omit the option.
void addEmptyValueChecks(CLI::App& command);

/// Throws UsageError for an option that may stand alone and has an empty value, `--fit ''` or
/// `--fit=`, which CLI11 reads like a --fit without a value. `words`: the whole command line.
void requireNoEmptyValue(std::span<CLI::App* const> commands, std::span<char*> words);

}  // namespace threefold
