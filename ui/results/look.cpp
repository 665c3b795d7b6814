#include "ui/results/look.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include <QCoreApplication>

namespace threefold::ui {
namespace {

template <bool Look::*kField>
LookField flag(const char* name, const char* settings = nullptr) {
    return {name, settings, [](const Look& look) { return LookValue(look.*kField); },
            [](Look& look, const LookValue& value) { look.*kField = std::get<bool>(value); }};
}

template <float Look::*kField>
LookField number(const char* name, double min, double max, const char* settings = nullptr) {
    return {name,
            settings,
            [](const Look& look) { return LookValue(look.*kField); },
            [](Look& look, const LookValue& value) { look.*kField = std::get<float>(value); },
            {},
            min,
            max};
}

/// A colour, or −1 for the theme's.
template <std::optional<std::uint32_t> Look::*kField>
LookField colour(const char* name, const char* settings) {
    constexpr float kThemeColour = -1;
    constexpr double kWhite = 0xFFFFFF;
    return {name,
            settings,
            [](const Look& look) {
                const auto& colour = look.*kField;
                return LookValue(colour ? static_cast<float>(*colour) : kThemeColour);
            },
            [](Look& look, const LookValue& value) {
                const float number = std::get<float>(value);
                look.*kField =
                    number < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(number));
            },
            {},
            kThemeColour,
            kWhite};
}

template <auto kField, const auto& kWords>
LookField word(const char* name, const char* settings = nullptr) {
    using Value = std::remove_cvref_t<decltype(std::declval<Look>().*kField)>;
    return {
        name, settings,
        [](const Look& look) { return LookValue(kWords[static_cast<std::size_t>(look.*kField)]); },
        [](Look& look, const LookValue& value) {
            const auto* const found = std::ranges::find(kWords, std::get<std::string_view>(value));
            if (found == std::end(kWords)) return;
            const auto index = static_cast<std::size_t>(found - std::begin(kWords));
            look.*kField = static_cast<Value>(index);
        },
        kWords};
}

}  // namespace

const std::vector<LookField>& lookFields() {
    constexpr double kLimit = 1e9;
    static const std::vector<LookField> fields{
        word<&Look::shading, kShadingWords>("shading", "view/shading"),
        flag<&Look::edges>("edges", "view/edges"),
        word<&Look::lighting, kLightingWords>("lighting", "view/lighting"),
        flag<&Look::ambientOcclusion>("occlusion", "view/occlusion"),
        flag<&Look::backfaces>("backfaces", "view/backfaces"),
        flag<&Look::axes>("axes", "view/axes"),
        flag<&Look::ground>("ground", "view/ground"),
        flag<&Look::zUp>("zUp", "view/zUp"),
        flag<&Look::cameras>("cameras", "view/cameras"),
        flag<&Look::backdrop>("backdrop", "view/backdrop"),
        colour<&Look::surfaceColour>("surface", "view/surface"),
        colour<&Look::backgroundColour>("background", "view/background"),
        word<&Look::paneLayout, kLayoutWords>("layout"),
        flag<&Look::truthPane>("truthPane"),
        flag<&Look::swapped>("swapped"),
        number<&Look::seamPosition>("wipe", 0, 1),
        number<&Look::opacity>("opacity", 0, 1),
        number<&Look::morphPosition>("stage", -kLimit, kMorphFitted),
        word<&Look::quantity, kQuantityWords>("quantity", "view/quantity"),
        word<&Look::map, kMapWords>("map", "view/colourMap"),
        word<&Look::scale, kScaleWords>("scale"),
        word<&Look::range, kRangeWords>("range"),
        number<&Look::upperQuantile>("percentile", 0, 1),
        number<&Look::rangeMin>("lowest", -kLimit, kLimit),
        number<&Look::rangeMax>("highest", -kLimit, kLimit),
        flag<&Look::keepRange>("keepRange")};
    return fields;
}

QString shadingName(render::Shading shading) {
    struct Text {
        Q_DECLARE_TR_FUNCTIONS(Look)
    };
    const QString names[] = {Text::tr("Smooth"), Text::tr("Flat"), Text::tr("Wireframe"),
                             Text::tr("Points")};
    return names[static_cast<std::size_t>(shading)];
}

void applyWords(Look& look, const std::map<std::string, std::string>& words) {
    for (const LookField& field : lookFields()) {
        const auto found = words.find(field.sessionKey);
        if (found == words.end()) continue;
        const LookValue before = field.get(look);
        const bool isFlag = found->second == "true" || found->second == "false";
        if (std::holds_alternative<bool>(before) && isFlag)
            field.set(look, found->second == "true");
        if (!field.enumWords.empty()) field.set(look, std::string_view(found->second));
        if (!std::holds_alternative<float>(before) || field.settingsKey == nullptr) continue;
        bool known = false;
        const float value = QString::fromStdString(found->second).toFloat(&known);
        if (known && value >= field.min && value <= field.max) field.set(look, value);
    }
}

Look readLook(const QSettings& settings) {
    std::map<std::string, std::string> words;
    for (const LookField& field : lookFields()) {
        if (field.settingsKey == nullptr || !settings.contains(field.settingsKey)) continue;
        const QVariant found = settings.value(field.settingsKey);
        const bool flag = std::holds_alternative<bool>(field.get(Look()));
        words[field.sessionKey] =
            flag ? (found.toBool() ? "true" : "false") : found.toString().toStdString();
    }
    Look look;
    applyWords(look, words);
    // Earlier versions saved the label, in the language of the window.
    const QString label = QString::fromStdString(words["shading"]);
    for (const render::Shading shading : kAllShadings) {
        const std::string_view word = kShadingWords[static_cast<std::size_t>(shading)];
        const QString plain = QString::fromUtf8(word);
        if (label == shadingName(shading) || label.compare(plain, Qt::CaseInsensitive) == 0)
            look.shading = shading;
    }
    return look;
}

void writeLook(QSettings& settings, const Look& look) {
    const auto setIfChanged = [&](const char* key, const QVariant& value) {
        if (settings.value(key).toString() != value.toString()) settings.setValue(key, value);
    };
    for (const LookField& field : lookFields()) {
        if (field.settingsKey == nullptr) continue;
        const LookValue value = field.get(look);
        if (const auto* word = std::get_if<std::string_view>(&value)) {
            setIfChanged(field.settingsKey, QString::fromStdString(std::string(*word)));
        } else if (const auto* number = std::get_if<float>(&value)) {
            setIfChanged(field.settingsKey, *number);
        } else {
            setIfChanged(field.settingsKey, std::get<bool>(value));
        }
    }
}

Look withQuantity(Look look, Quantity quantity) {
    if (quantity != look.quantity) {
        if (look.range == RangeMode::custom) look.range = RangeMode::shared;
        look.keepRange = false;
    }
    look.quantity = quantity;
    return look;
}

}  // namespace threefold::ui
