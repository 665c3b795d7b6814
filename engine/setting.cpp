#include "engine/setting.h"

#include <algorithm>
#include <cstddef>

namespace threefold {
namespace {

constexpr char kQuote = '`';

bool isAlphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Parses "name" or "name=value"; nullopt if `quoted` names no setting.
std::optional<SettingReference> settingIn(std::string_view quoted) {
    const std::size_t equals = std::min(quoted.find('='), quoted.size());
    const SettingReference setting{quoted.substr(0, equals),
                                   quoted.substr(std::min(equals + 1, quoted.size()))};
    if (setting.name != kMachineCheck && std::ranges::count(kSettings, setting.name) == 0)
        return std::nullopt;
    return setting;
}

/// Whether a character before a quote belongs to a file's name: "/tmp/`output`.png".
bool endsName(char before) {
    return isAlphanumeric(before) ||
           std::string_view("/\\._-~").find(before) != std::string_view::npos;
}

/// Whether the text after a quotation mark, `after`, continues a file name.
bool continuesName(std::string_view after) {
    if (after.empty()) return false;
    const bool isDot = after.front() == '.' && after.size() > 1 && isAlphanumeric(after[1]);
    return isDot || isAlphanumeric(after.front()) ||
           std::string_view("/\\_-~").find(after.front()) != std::string_view::npos;
}

}  // namespace

std::string substituteSettingNames(std::string_view message, const SettingNames& names) {
    std::string text;
    while (true) {
        const std::size_t open = message.find(kQuote);
        const std::size_t close =
            open == message.npos ? message.npos : message.find(kQuote, open + 1);
        if (close == message.npos) return text.append(message);
        const auto setting = settingIn(message.substr(open + 1, close - open - 1));
        const char before = open > 0 ? message[open - 1] : text.empty() ? ' ' : text.back();
        const bool isInName = endsName(before) || continuesName(message.substr(close + 1));
        if (!setting || isInName) {
            // This closing quote may open the next quoted text.
            text.append(message.substr(0, close));
            message.remove_prefix(close);
            continue;
        }
        text.append(message.substr(0, open));
        message.remove_prefix(close + 1);
        if (const std::optional<std::string> replacement = names(*setting)) {
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
