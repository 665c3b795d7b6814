#include "app/configuration/configuration.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/text_parts.h"

namespace threefold {
namespace {

/// The option of a command that was bound to the knob, or null.
CLI::Option* boundOption(CLI::App& command, const Knob& knob) {
    // The first long name of several: "--warmup".
    const std::string name = split(knob.option, ',').front();
    CLI::Option* const option = name.empty() ? nullptr : command.get_option_no_throw(name);
    if (option == nullptr) return nullptr;
    try {
        return option->get_validator(0)->get_name() == knob.key ? option : nullptr;
    } catch (const CLI::OptionNotFound&) {
        return nullptr;  // it checks nothing: another command's option of that name
    }
}

void setDefault(CLI::Option& option, const std::string& text) {
    option.run_callback_for_default()->default_val(text);
    // CLI11 would take it for the value of an option that is named without one.
    option.default_str("");
}

std::string help(const Knob& knob, const std::string& standard) {
    return fmt::format("{}; default: {}", knob.meaning, standard);
}

}  // namespace

CLI::Option* bindKnob(CLI::Option& option, const Knob& knob) {
    option.check(
        CLI::Validator([&knob](std::string& text) { return problemOf(knob, text); }, "", knob.key));
    if (knob.standard != nullptr) setDefault(option, knob.standard);
    option.description(help(knob, knob.standard != nullptr ? knob.standard : knob.without));
    return &option;
}

CLI::Option* addKnob(CLI::App& command, const Knob& knob, bool& value) {
    return bindKnob(*command.add_flag(knob.option, value), knob);
}

CLI::Option* addKnobWord(CLI::App& command, const Knob& knob,
                         const std::function<void(const std::string&)>& take) {
    return bindKnob(
        *command.add_option_function<std::string>(knob.option, take)->option_text(knob.placeholder),
        knob);
}

bool usesKnobs(CLI::App& command) {
    return std::ranges::any_of(
        allKnobs(), [&](const Knob* knob) { return boundOption(command, *knob) != nullptr; });
}

void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands) {
    for (const Knob* knob : allKnobs()) {
        const ConfiguredValue* const value = configuration.find(*knob);
        if (value == nullptr) continue;
        std::vector<CLI::Option*> options;
        for (CLI::App* command : commands)
            if (CLI::Option* const option = boundOption(*command, *knob)) options.push_back(option);
        const bool given =
            std::ranges::any_of(options, [](const CLI::Option* o) { return o->count() > 0; });
        for (CLI::Option* option : options) {
            option->description(help(*knob, fmt::format("{} ({})", value->text, value->origin())));
            if (given) continue;
            try {
                setDefault(*option, value->text);
            } catch (const CLI::Error& error) {
                configuration.problems.push_back(
                    {value->file.string(), fmt::format("line {}, {}", value->line, knob->key),
                     error.what(), "`threefold config --template` explains every key."});
            }
        }
    }
}

}  // namespace threefold
