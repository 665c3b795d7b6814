#include "app/configuration/bind_settings.h"

#include <algorithm>

#include "app/configuration/configuration.h"
#include "app/configuration/number_range.h"
#include "engine/text.h"

namespace threefold {
namespace {

/// Option of a command bound to the setting, or null.
CLI::Option* boundOption(CLI::App& command, const Setting& setting) {
    // The first long name of several: "--warmup".
    const std::string name = split(setting.option, ',').front();
    CLI::Option* const option = name.empty() ? nullptr : command.get_option_no_throw(name);
    if (option == nullptr) return nullptr;
    try {
        return option->get_validator(0)->get_name() == setting.key ? option : nullptr;
    } catch (const CLI::OptionNotFound&) {
        return nullptr;  // an option of the same name without a check: not bound to the setting
    }
}

void setDefault(CLI::Option& option, const std::string& text) {
    option.run_callback_for_default()->default_val(text);
    // Else CLI11 would use the default as the value of an option that is named without a value.
    option.default_str("");
}

std::string help(const Setting& setting, const std::string& defaultText) {
    return fmt::format("{}; default: {}", setting.meaning, defaultText);
}

}  // namespace

CLI::Option* bindSetting(CLI::Option& option, const Setting& setting) {
    option.check(CLI::Validator([&setting](std::string& text) { return problemOf(setting, text); },
                                "", setting.key));
    const bool number =
        setting.type == Setting::Type::integer || setting.type == Setting::Type::number;
    if (number) option.check(numberValidator(numberRange(setting)));
    if (setting.defaultValue != nullptr) setDefault(option, setting.defaultValue);
    option.description(help(
        setting, setting.defaultValue != nullptr ? setting.defaultValue : setting.noValueText));
    return &option;
}

CLI::Option* addMebibytes(CLI::App& command, const Setting& setting, std::size_t& bytes) {
    const auto take = [&bytes](std::size_t mebibytes) { bytes = mebibytes << 20U; };
    return bindSetting(*command.add_option_function<std::size_t>(setting.option, take)
                            ->option_text(setting.placeholder),
                       setting);
}

CLI::Option* addSetting(CLI::App& command, const Setting& setting, bool& value) {
    return bindSetting(*command.add_flag(setting.option, value), setting);
}

CLI::Option* addSettingWord(CLI::App& command, const Setting& setting,
                            const std::function<void(const std::string&)>& take) {
    return bindSetting(*command.add_option_function<std::string>(setting.option, take)
                            ->option_text(setting.placeholder),
                       setting);
}

bool usesSettings(CLI::App& command) {
    return std::ranges::any_of(allSettings(), [&](const Setting* setting) {
        return tableOf(*setting) != "log" && boundOption(command, *setting) != nullptr;
    });
}

void applyConfiguration(Configuration& configuration, std::span<CLI::App* const> commands) {
    for (const Setting* setting : allSettings()) {
        const ConfiguredValue* const value = configuration.find(*setting);
        if (value == nullptr) continue;
        std::vector<CLI::Option*> options;
        for (CLI::App* command : commands)
            if (CLI::Option* const option = boundOption(*command, *setting))
                options.push_back(option);
        const bool given =
            std::ranges::any_of(options, [](const CLI::Option* o) { return o->count() > 0; });
        for (CLI::Option* option : options) {
            option->description(
                help(*setting, fmt::format("{} ({})", value->text, value->origin())));
            if (given) continue;
            try {
                setDefault(*option, value->text);
            } catch (const CLI::Error& error) {
                configuration.problems.push_back(
                    {value->file.string(), fmt::format("line {}, {}", value->line, setting->key),
                     error.what(), "`threefold config --template` explains every key."});
            }
        }
    }
}

}  // namespace threefold
