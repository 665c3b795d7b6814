#include "engine/setting.h"

#include <algorithm>
#include <cstddef>

namespace threefold {
namespace {

constexpr char kQuote = '`';

/// Parses "name" or "name=value"; nullopt if `quoted` names no setting.
std::optional<NamedSetting> settingIn(std::string_view quoted) {
    const std::size_t equals = std::min(quoted.find('='), quoted.size());
    const NamedSetting setting{quoted.substr(0, equals),
                               quoted.substr(std::min(equals + 1, quoted.size()))};
    if (std::ranges::count(kSettings, setting.name) == 0) return std::nullopt;
    return setting;
}

}  // namespace

std::string withSettingWords(std::string_view message, const SettingWords& words) {
    std::string text;
    while (true) {
        const std::size_t open = message.find(kQuote);
        const std::size_t close =
            open == message.npos ? message.npos : message.find(kQuote, open + 1);
        if (close == message.npos) return text.append(message);
        const auto setting = settingIn(message.substr(open + 1, close - open - 1));
        if (!setting) {
            // This closing quote may open the next quoted text.
            text.append(message.substr(0, close));
            message.remove_prefix(close);
            continue;
        }
        text.append(message.substr(0, open));
        message.remove_prefix(close + 1);
        if (const std::optional<std::string> replacement = words(*setting)) {
            text += *replacement;
        } else if (text.ends_with(" (") && message.starts_with(')')) {
            text.resize(text.size() - 2);
            message.remove_prefix(1);
        } else {
            text += setting->name;
        }
    }
}

}  // namespace threefold
