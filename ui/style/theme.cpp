#include "ui/style/theme.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <QFile>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QPainter>
#include <QPixmap>
#include <QStyleFactory>
#include <QSvgRenderer>

// Resources of a static library must be initialised, outside of any namespace.
static void initialiseResources() {
    Q_INIT_RESOURCE(icons);
    Q_INIT_RESOURCE(style);
}

namespace threefold::ui {
namespace {

QColor mixed(const QColor& a, const QColor& b, float fraction) {
    return QColor::fromRgbF(a.redF() + (b.redF() - a.redF()) * fraction,
                            a.greenF() + (b.greenF() - a.greenF()) * fraction,
                            a.blueF() + (b.blueF() - a.blueF()) * fraction);
}

QPalette paletteOf(const ThemeColours& colours) {
    using Role = QPalette::ColorRole;
    const std::pair<Role, QColor> roles[] = {{Role::Window, colours.panel},
                                             {Role::WindowText, colours.text},
                                             {Role::Base, colours.raised},
                                             {Role::AlternateBase, colours.panel},
                                             {Role::Text, colours.text},
                                             {Role::PlaceholderText, colours.muted},
                                             {Role::Button, colours.raised},
                                             {Role::ButtonText, colours.text},
                                             {Role::BrightText, colours.bad},
                                             {Role::Highlight, colours.accent},
                                             {Role::HighlightedText, colours.accentText},
                                             {Role::Link, colours.accent},
                                             {Role::ToolTipBase, colours.raised},
                                             {Role::ToolTipText, colours.text},
                                             {Role::Light, colours.raised.lighter(115)},
                                             {Role::Midlight, colours.border},
                                             {Role::Mid, colours.border},
                                             {Role::Dark, colours.border},
                                             {Role::Shadow, colours.viewport}};
    QPalette palette;
    for (const auto& [role, colour] : roles) palette.setColor(role, colour);
    QColor disabled = colours.muted;
    disabled.setAlphaF(0.6F);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, disabled);
    return palette;
}

QString styleSheet(const ThemeColours& colours) {
    initialiseResources();
    QFile file(QStringLiteral(":/style/window.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> names[] = {
        {"{panel}", colours.panel},   {"{raised}", colours.raised},
        {"{border}", colours.border}, {"{text}", colours.text},
        {"{muted}", colours.muted},   {"{accent}", colours.accent},
        {"{bad}", colours.bad},       {"{accentText}", colours.accentText},
        {"{banner}", colours.banner}, {"{checked}", colours.checked},
        {"{good}", colours.good},
    };
    for (const auto& [name, colour] : names) sheet.replace(QLatin1String(name), colour.name());
    return sheet;
}

bool isDark(const QPalette& palette) {
    const QColor window = palette.color(QPalette::Window);
    // The style sheet gives lists a transparent window colour, whose RGB is black.
    const bool opaque = window.alpha() > 0;
    return (opaque ? window : QApplication::palette().color(QPalette::Window)).lightnessF() < 0.5;
}

void draw(QIcon& result, const QString& name, const QColor& colour, QIcon::Mode mode,
          std::initializer_list<int> sizes) {
    initialiseResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return;
    QByteArray svg = file.readAll();
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    for (const int size : sizes) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.end();
        result.addPixmap(pixmap, mode);
    }
}

}  // namespace

QString themeName(ThemeChoice choice) {
    constexpr const char* kNames[] = {"system", "dark", "light"};
    return QString::fromLatin1(kNames[static_cast<std::size_t>(choice)]);
}

ThemeChoice themeFromName(const QString& name) {
    for (const ThemeChoice choice : {ThemeChoice::dark, ThemeChoice::light})
        if (name == themeName(choice)) return choice;
    return ThemeChoice::system;
}

ThemeColours themeColours(Theme theme) {
    const bool dark = theme == Theme::dark;
    ThemeColours c;
    c.dark = dark;
    c.viewport = dark ? 0x212429 : 0xeceef1;
    c.panel = dark ? 0x191b1f : 0xf7f8f9;
    c.raised = dark ? 0x24272d : 0xffffff;
    c.border = dark ? 0x2e3138 : 0xd8dbe0;
    c.text = dark ? 0xe3e5e9 : 0x1c1f24;
    c.muted = dark ? 0x9298a3 : 0x5d6470;
    c.accent = dark ? 0x3b70e2 : 0x2b66dc;
    c.accentText = 0xffffff;
    c.checked = dark ? 0x3f6fc0 : 0x2b66dc;
    c.good = dark ? 0x7ccf8b : 0x18793a;
    c.bad = dark ? 0xf07a70 : 0xc0362c;
    c.warning = dark ? 0xe0a546 : 0xc98612;
    c.resultAccent = dark ? 0xe8763e : 0xd65a1e;
    c.surface = dark ? 0xb9bdc6 : 0x9aa1ad;
    c.banner = dark ? 0x3a2425 : 0xfbe6e3;
    return c;
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto linear = [](double channel) {
            return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
               0.0722 * linear(colour.blueF()) + 0.05;
    };
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return lighter / darker;
}

ThemeColours themeColours(const QPalette& palette) {
    return themeColours(isDark(palette) ? Theme::dark : Theme::light);
}

void applyTheme(QApplication& application, ThemeChoice choice, const QPalette& systemPalette) {
    const bool dark =
        choice == ThemeChoice::dark || (choice == ThemeChoice::system && isDark(systemPalette));
    const ThemeColours colours = themeColours(dark ? Theme::dark : Theme::light);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(colours));
    application.setStyleSheet(styleSheet(colours));
}

QFont numberFont(const QFont& base) {
    const QFontMetricsF metrics(base);
    std::set<int> widths;
    for (char digit = '0'; digit <= '9'; ++digit)
        widths.insert(qRound(metrics.horizontalAdvance(QLatin1Char(digit)) * 64));
    if (widths.size() == 1) return base;
    QFont fixedFont = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (base.pixelSize() > 0) fixedFont.setPixelSize(base.pixelSize());
    if (base.pointSizeF() > 0) fixedFont.setPointSizeF(base.pointSizeF());
    return fixedFont;
}

QColor stepColour(RunStep step, const ThemeColours& colours) {
    const auto soft = [&](const QColor& colour) {
        return mixed(colour, colours.dark ? QColor(Qt::white) : colours.panel, 0.4F);
    };
    // In the order of RunStep; all hypothesis blocks from the second on have the last colour.
    const QColor stageColours[] = {colours.muted,
                                   mixed(colours.muted, colours.accent, 0.5F),
                                   colours.accent,
                                   mixed(colours.accent, colours.resultAccent, 0.5F),
                                   soft(colours.accent),
                                   soft(colours.accent),
                                   soft(colours.accent),
                                   colours.accent,
                                   mixed(colours.accent, colours.resultAccent, 0.5F),
                                   soft(colours.resultAccent),
                                   colours.resultAccent};
    return stageColours[std::min(static_cast<std::size_t>(step), std::size(stageColours) - 1)];
}

void setTextRole(QWidget& widget, const char* role) {
    widget.setProperty("role", QString::fromLatin1(role));
}

QIcon icon(const QString& name, const QColor& colour, const QColor& disabled) {
    QIcon result;
    draw(result, name, colour, QIcon::Normal, {16, 24, 32, 48});
    draw(result, name, disabled, QIcon::Disabled, {16, 24, 32, 48});
    return result;
}

QIcon applicationIcon() {
    QIcon result;
    draw(result, QStringLiteral("threefold"), Qt::black, QIcon::Normal, {16, 32, 48, 64, 128, 256});
    return result;
}

}  // namespace threefold::ui
