#pragma once

#include <optional>
#include <span>

#include "engine/error.h"

namespace CLI {
class App;
}

namespace threefold {

/// What is wrong with the first word that none of the chosen commands knows: there is no such
/// command or option, and which one is meant, if one is near. Nothing where all words are known.
/// `commands` are the program and its commands that were chosen, parsed.
std::optional<ErrorReport> mistypedWord(std::span<CLI::App* const> commands);

/// The same of the first file that the program itself was given, where it is not there: its remedy
/// is empty where no command has nearly that name.
std::optional<ErrorReport> mistypedCommand(const CLI::App& program);

}  // namespace threefold
