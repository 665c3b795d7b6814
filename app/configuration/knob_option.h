#pragma once

#include <functional>
#include <span>
#include <string>

#include <CLI/CLI.hpp>

#include "app/configuration/configuration.h"
#include "app/configuration/knob.h"

namespace threefold {

/// Makes an option the knob's: its default, its range and its help come from there, and
/// applyConfiguration() finds it. Returns the option.
CLI::Option* bindKnob(CLI::Option& option, const Knob& knob);

/// The knob's option, with its value in `value`, which gets the default.
template <class Value>
CLI::Option* addKnob(CLI::App& command, const Knob& knob, Value& value) {
    CLI::Option* const option =
        command.add_option(knob.option, value)->option_text(knob.placeholder);
    if (knob.list) option->delimiter(',')->allow_extra_args(false);
    return bindKnob(*option, knob);
}
/// Likewise a flag.
CLI::Option* addKnob(CLI::App& command, const Knob& knob, bool& value);
/// Likewise an option whose word is handed to `take`, with the default at once.
CLI::Option* addKnobWord(CLI::App& command, const Knob& knob,
                         const std::function<void(const std::string&)>& take);

/// Whether the command has the option of any knob.
bool usesKnobs(CLI::App& command);

/// Gives the values of the files to options that the command line left out. `commands` are the
/// program and its commands that were chosen, parsed; an option that any of them was given counts
/// for all of them. The help says the new defaults. Values that a command refuses are problems of
/// the configuration.
void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands);

}  // namespace threefold
