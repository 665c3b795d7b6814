#include "ui/document/look.h"

#include <QCoreApplication>
#include <QSettings>

#include "ui/document/look_fields.h"

namespace threefold::ui {
namespace {

QString text(std::string_view name) {
    return QString::fromLatin1(name.data(), static_cast<qsizetype>(name.size()));
}

struct SettingsReader {
    const QSettings& settings;

    void operator()(LookKey key, bool& value) const {
        if (key.settings != nullptr) value = settings.value(key.settings, value).toBool();
    }
    void operator()(LookKey, float&, double, double) const {}
    void operator()(LookKey key, render::Lighting& value,
                    const Named<render::Lighting> (&)[2]) const {
        if (settings.value(key.settings).toBool()) value = render::Lighting::matcap;
    }
    template <class Value, std::size_t kCount>
    void operator()(LookKey key, Value& value, const Named<Value> (&names)[kCount]) const {
        if (key.settings == nullptr) return;
        const QString found = settings.value(key.settings).toString();
        for (const auto& [name, each] : names) {
            bool same = text(name) == found;
            // Earlier versions saved the label, in the language of the window.
            if constexpr (std::is_same_v<Value, render::Shading>) {
                same = same || shadingName(each) == found ||
                       text(name).compare(found, Qt::CaseInsensitive) == 0;
            }
            if (same) value = each;
        }
    }
};

struct SettingsWriter {
    QSettings& settings;

    void keep(LookKey key, const QVariant& value) const {
        if (key.settings != nullptr && settings.value(key.settings).toString() != value.toString())
            settings.setValue(key.settings, value);
    }
    void operator()(LookKey key, bool value) const { keep(key, value); }
    void operator()(LookKey, float, double, double) const {}
    void operator()(LookKey key, render::Lighting value,
                    const Named<render::Lighting> (&)[2]) const {
        keep(key, value == render::Lighting::matcap);
    }
    template <class Value, std::size_t kCount>
    void operator()(LookKey key, Value value, const Named<Value> (&names)[kCount]) const {
        keep(key, text(nameIn<Value>(names, value)));
    }
};

}  // namespace

QString shadingName(render::Shading shading) {
    struct Text {
        Q_DECLARE_TR_FUNCTIONS(Look)
    };
    const QString names[] = {Text::tr("Smooth"), Text::tr("Flat"), Text::tr("Wireframe"),
                             Text::tr("Points")};
    return names[static_cast<std::size_t>(shading)];
}

Look readLook(const QSettings& settings) {
    Look look;
    visitLook(look, SettingsReader{settings});
    return look;
}

void writeLook(QSettings& settings, const Look& look) {
    visitLook(look, SettingsWriter{settings});
}

}  // namespace threefold::ui
