#include "app/configuration/configuration.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/console/help_formatter.h"
#include "engine/json_text.h"
#include "engine/text.h"
#include "engine/text_table.h"

namespace threefold {
namespace {

constexpr const char* kHead =
    R"(# Threefold's configuration: the defaults of its command line and of its window.
#
# With --config FILE, only that file is read. Otherwise ./threefold.toml is read, and
# $XDG_CONFIG_HOME/threefold/threefold.toml (~/.config/threefold/threefold.toml) for the keys that
# are missing in ./threefold.toml. The command line takes precedence.
# `threefold config` shows the effective values and their sources.
#
# Remove the "#" before a key to set it.
)";

/// Calls `begin` before the settings of a table, `each` for every setting.
template <class Begin, class Each>
void visitTables(const Begin& begin, const Each& each) {
    std::string_view table;
    for (const Setting* setting : allSettings()) {
        if (tableOf(*setting) != table) begin(table = tableOf(*setting));
        each(*setting);
    }
}

std::string comment(const std::string& text) {
    constexpr std::size_t kWidth = 98;
    std::string lines = "# " + wrapped(text, kWidth, 0);
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 3))
        lines.insert(at + 1, "# ");
    return lines + '\n';
}

/// Accepted values, and the option: "0 to 1024 · --threads".
std::string allowed(const Setting& setting) {
    std::string text = setting.list ? fmt::format("{}, {}; each {}", typeText(setting),
                                                  countText(setting), rangeText(setting))
                                    : rangeText(setting);
    const std::string_view options = setting.option;
    if (!options.empty()) text += fmt::format(" · {}", options.substr(0, options.find(',')));
    return text;
}

nlohmann::ordered_json settingJson(const Setting& setting, const std::string& text) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const std::string& value : valuesOf(setting, text)) {
        if (setting.type == Setting::Type::number)
            values.push_back(std::strtod(value.c_str(), nullptr));
        else
            values.push_back(isText(setting) ? nlohmann::ordered_json(value)
                                             : nlohmann::ordered_json::parse(value));
    }
    return setting.list ? values : values.front();
}

}  // namespace

std::string configurationText(const Configuration& configuration) {
    std::string text;
    for (const auto& file : configuration.files) text += fmt::format("# read: {}\n", file.string());
    if (configuration.files.empty()) text += "# No threefold.toml was found.\n";
    std::vector<std::pair<std::string, TextTable>> sections;
    visitTables(
        [&](std::string_view name) {
            sections.emplace_back(fmt::format("\n[{}]\n", name), TextTable("ll"));
        },
        [&](const Setting& setting) {
            const ConfiguredValue* const value = configuration.find(setting);
            const std::optional<std::string> effectiveText = configuration.text(setting);
            sections.back().second.add(
                {effectiveText
                     ? fmt::format("{} = {}", nameOf(setting), tomlText(setting, *effectiveText))
                     : fmt::format("#{} =", nameOf(setting)),
                 fmt::format("# {}", value != nullptr ? value->origin()
                                     : effectiveText
                                         ? "default"
                                         : fmt::format("default: {}", setting.noValueText))});
        });
    for (const auto& [head, rows] : sections) text += head + rows.text();
    return text;
}

nlohmann::ordered_json configurationJson(const Configuration& configuration) {
    const auto entryOf = [&](const Setting* setting) {
        const ConfiguredValue* const value = configuration.find(*setting);
        const std::optional<std::string> text = configuration.text(*setting);
        nlohmann::ordered_json entry = {{"key", setting->key}};
        entry["value"] = text ? settingJson(*setting, *text) : nlohmann::ordered_json();
        entry["from"] = value == nullptr ? "default" : "file";
        if (value != nullptr) {
            entry["file"] = value->file.string();
            entry["line"] = value->line;
        }
        if (!text) entry["without"] = setting->noValueText;
        entry["type"] = typeText(*setting);
        entry["range"] = rangeText(*setting);
        entry["meaning"] = setting->meaning;
        return entry;
    };
    return {
        {"threefold", THREEFOLD_VERSION},
        {"files", jsonArray(configuration.files, [](const auto& file) { return file.string(); })},
        {"values", jsonArray(allSettings(), entryOf)},
        {"problems", jsonArray(configuration.problems, [](const ErrorReport& problem) {
             return std::string(Error(problem).what());
         })}};
}

std::string configurationTemplate() {
    std::string text = kHead;
    visitTables(
        [&](std::string_view table) { text += fmt::format("\n[{}]\n", table); },
        [&](const Setting& setting) {
            text += comment(setting.meaning);
            const bool set = setting.defaultValue != nullptr;
            text += comment(allowed(setting) +
                            (set ? "" : fmt::format(" · default: {}", setting.noValueText)));
            text += fmt::format("#{} = {}\n", nameOf(setting),
                                tomlText(setting, set ? setting.defaultValue : setting.example));
        });
    return text;
}

}  // namespace threefold
