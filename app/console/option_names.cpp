#include "app/console/option_names.h"

#include <algorithm>
#include <optional>

#include "engine/setting.h"

namespace threefold {
namespace {

std::string optionName(std::string_view setting) {
    if (setting == kMachineCheck) return "`threefold doctor`";
    if (setting == "output") return "-o";
    std::string option = "--";
    option += setting;
    std::ranges::replace(option, '_', '-');
    return option;
}

}  // namespace

std::string withOptionNames(std::string_view message) {
    return substituteSettingNames(
        message, [](const SettingReference& setting) -> std::optional<std::string> {
            std::string words = optionName(setting.name);
            if (!setting.value.empty()) words.append(1, ' ').append(setting.value);
            return words;
        });
}

}  // namespace threefold
