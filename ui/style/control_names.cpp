#include "ui/style/control_names.h"

#include <algorithm>
#include <optional>
#include <string>

#include <QCoreApplication>

#include "engine/setting.h"

namespace threefold::ui {
namespace {

// The window's control for a setting.
struct Control {
    std::string_view setting;
    const char* words;
};

// Other settings have no control, or the messages name their control already.
constexpr Control kControls[] = {
    {"backend", QT_TRANSLATE_NOOP("WindowWords", "Reconstruct > Device")},
    {kMachineCheck, QT_TRANSLATE_NOOP("WindowWords", "threefold doctor in a terminal")},
    {"device", QT_TRANSLATE_NOOP("WindowWords", "Reconstruct > Device")},
    {"object_centre", QT_TRANSLATE_NOOP("WindowWords", "object_centre in the camera file")},
    {"object_size", QT_TRANSLATE_NOOP("WindowWords", "object_size in the camera file")},
    {"object_up", QT_TRANSLATE_NOOP("WindowWords", "up in the camera file")},
    {"precision", QT_TRANSLATE_NOOP("WindowWords", "Reconstruct > Device")},
};

std::optional<std::string> controlOf(const SettingReference& setting) {
    const auto* found = std::ranges::find(kControls, setting.name, &Control::setting);
    if (found == std::end(kControls)) return std::nullopt;
    return QCoreApplication::translate("WindowWords", found->words).toStdString();
}

}  // namespace

QString withControlNames(std::string_view text) {
    return QString::fromStdString(substituteSettingNames(text, controlOf));
}

}  // namespace threefold::ui
