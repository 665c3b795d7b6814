#include "ui/style/theme.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetricsF>
#include <QStyleFactory>
#include <QWidget>

namespace threefold::ui {
namespace {

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
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, disabled);
    }
    return palette;
}

// Names in braces are replaced by the theme's colours.
constexpr auto kStyleSheet = R"(
QMainWindow::separator { width: 0; height: 0; }
QToolTip { color: {text}; background: {raised}; border: 1px solid {border}; padding: 4px 6px; }
QMenuBar { background: {panel}; padding: 2px 4px; }
QMenuBar::item { padding: 4px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: {raised}; }
QMenu { background: {raised}; border: 1px solid {border}; padding: 4px; }
QMenu::item { padding: 5px 28px 5px 24px; border-radius: 4px; }
QMenu::item:selected { background: {accent}; color: {accentText}; }
QMenu::separator { height: 1px; background: {border}; margin: 4px 8px; }
QToolBar { background: {panel}; border: none; border-bottom: 1px solid {border};
           padding: 6px 8px; spacing: 8px; }
QToolBar QToolButton { padding: 4px 4px 4px 10px; }
QToolBar QToolButton[popupMode="2"] { padding: 4px 10px; }
QToolBar QToolButton[toolButtonStyle="0"] { padding: 4px 8px; }
QToolBar QToolButton#qt_toolbar_ext_button { padding: 0; min-width: 12px;
                                             qproperty-icon: url(:/icons/chevron.svg); }
QToolBar::separator { background: {border}; width: 1px; margin: 6px 4px; }
QToolButton, QPushButton { background: {raised}; border: 1px solid {border}; border-radius: 5px;
                           padding: 4px 12px; min-height: 20px; }
QToolButton::menu-indicator { image: none; }
QToolButton:hover, QPushButton:hover { border-color: {muted}; }
QToolButton:pressed, QPushButton:pressed { background: {border}; }
QToolButton:checked { background: {checked}; border-color: {checked}; color: {accentText}; }
QToolButton:focus, QPushButton:focus, QComboBox:focus { border-color: {accent}; }
QToolButton:disabled, QPushButton:disabled { border-color: {raised}; }
QToolButton[rank="primary"], QPushButton:default
  { background: {accent}; border-color: {accent}; color: {accentText}; }
QToolButton[rank="primary"]:hover, QPushButton:default:hover { border-color: {text}; }
QToolButton[rank="primary"]:focus, QPushButton:default:focus { border-color: {text}; }
QToolButton[rank="primary"]:disabled, QPushButton:default:disabled
  { background: {raised}; border-color: {raised}; color: {muted}; }
QToolButton[rank="flat"] { background: transparent; border-color: transparent; padding: 2px 6px; }
QToolButton[rank="flat"]:focus { border-color: {accent}; }
QToolButton[rank="flat"]:hover { background: {border}; }
QToolButton[rank="flat"]:checked { background: {checked}; color: {accentText}; }
QToolButton:checked:focus, QToolButton:checked:hover { border-color: {text}; }
QToolButton:checked:disabled { background: {border}; border-color: {border}; color: {muted}; }
QToolButton[rank="segment"] { border-radius: 0; border-left-width: 0; padding: 4px 10px; }
QToolButton[rank="segment"][end="first"] { border-left-width: 1px; border-top-left-radius: 5px;
                                           border-bottom-left-radius: 5px; }
QToolButton[rank="segment"][end="last"] { border-top-right-radius: 5px;
                                          border-bottom-right-radius: 5px; }
QToolButton[rank="segment"]:disabled { color: {muted}; border-color: {border}; }
QCheckBox::indicator, QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid {muted};
                                                background: {raised}; }
QCheckBox::indicator { border-radius: 3px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: {text}; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border-color: {accent}; }
QCheckBox::indicator:checked { background: {accent}; border-color: {accent};
                               image: url(:/icons/check.svg); }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid {accent};
                                  background: {accentText}; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: {border}; }
QCheckBox::indicator:checked:disabled { background: {border}; }
QCheckBox:disabled, QRadioButton:disabled { color: {muted}; }
QComboBox { background: {raised}; border: 1px solid {border}; border-radius: 5px;
            padding: 4px 10px; min-height: 20px; }
QComboBox:hover { border-color: {muted}; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url(:/icons/chevron.svg); width: 12px; height: 12px; }
QLineEdit { background: {raised}; border: 1px solid {border}; border-radius: 5px;
            padding: 4px 8px; min-height: 20px; selection-background-color: {accent};
            selection-color: {accentText}; }
QLineEdit:hover { border-color: {muted}; }
QLineEdit:focus { border-color: {accent}; }
QAbstractSpinBox { background: {raised}; border: 1px solid {border}; border-radius: 5px;
                   padding: 3px 4px 3px 8px; min-height: 18px;
                   selection-background-color: {accent}; selection-color: {accentText}; }
QAbstractSpinBox:hover { border-color: {muted}; }
QAbstractSpinBox:focus { border-color: {accent}; }
QAbstractSpinBox:disabled { color: {muted}; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button
  { subcontrol-origin: border; width: 16px; border: none; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin: 3px 3px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin: 0 3px 3px 0; }
QAbstractSpinBox::up-arrow { image: url(:/icons/up.svg); width: 8px; height: 8px; }
QAbstractSpinBox::down-arrow { image: url(:/icons/chevron.svg); width: 8px; height: 8px; }
QFileDialog QToolButton { padding: 3px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QComboBox QAbstractItemView { background: {raised}; border: 1px solid {border};
                              selection-background-color: {accent};
                              selection-color: {accentText}; outline: none; }
QLabel[rank="heading"] { color: {muted}; font-weight: 600; }
QLabel[rank="muted"] { color: {muted}; }
QLabel[rank="chip"] { color: {muted}; border: 1px solid {border}; border-radius: 11px;
                      padding: 2px 10px; }
QSplitter::handle { background: {border}; }
QSplitter::handle:hover, QSplitter::handle:focus { background: {accent}; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: transparent; width: 8px; margin: 0; }
QScrollBar::handle:vertical { background: {border}; border-radius: 4px; min-height: 32px; }
QScrollBar::handle:vertical:hover { background: {muted}; }
QScrollBar::add-line, QScrollBar::sub-line { height: 0; width: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QFrame#sheet { background: {panel}; border: 1px solid {border}; border-radius: 6px; }
QLabel[rank="title"] { font-weight: 600; }
QLabel[verdict="better"] { color: {good}; }
QLabel[verdict="worse"] { color: {bad}; }
QLabel[verdict="same"] { color: {muted}; }
QFrame#banner { background: {banner}; border: none; border-left: 3px solid {bad}; }
QTreeView, QTableView, QPlainTextEdit { background: transparent; border: 1px solid transparent; }
QTreeView:focus, QTableView:focus, QPlainTextEdit:focus { border-color: {accent}; }
QTableView { selection-background-color: {border}; selection-color: {text}; }
QTableView::item { padding: 0 8px; border: none; }
QTableView::item:hover { background: {raised}; }
QTableView::item:selected { background: {border}; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: {panel}; color: {muted}; border: none; padding: 0 8px;
                       border-bottom: 1px solid {border}; }
QHeaderView::section:hover { color: {text}; }
QDockWidget { color: {muted}; font-weight: 600; titlebar-close-icon: url(:/icons/close.svg);
              titlebar-normal-icon: url(:/icons/float.svg); }
QDockWidget::title { background: {panel}; border-top: 1px solid {border}; padding: 6px 16px; }
QDockWidget::close-button, QDockWidget::float-button
  { subcontrol-origin: padding; subcontrol-position: right center; width: 20px; height: 20px;
    border: 1px solid transparent; border-radius: 4px; padding: 0; background: transparent; }
QDockWidget::close-button { right: 8px; }
QDockWidget::float-button { right: 32px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: {border}; }
QMainWindow::separator:horizontal, QMainWindow::separator:vertical { width: 4px; height: 4px; }
QTabBar::tab { background: transparent; color: {muted}; padding: 4px 8px; border: none;
               border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: {text}; border-bottom-color: {accent}; }
QTabBar:focus { color: {accent}; }
QProgressBar { background: {border}; border: none; border-radius: 2px; }
QProgressBar::chunk { background: {accent}; border-radius: 2px; }
QScrollBar:horizontal { background: transparent; height: 8px; margin: 0; }
QScrollBar::handle:horizontal { background: {border}; border-radius: 4px; min-width: 32px; }
QScrollBar::handle:horizontal:hover { background: {muted}; }
QStatusBar { background: {panel}; border-top: 1px solid {border}; }
QStatusBar::item { border: none; }
)";

QString styleSheet(const ThemeColours& colours) {
    QString sheet = QString::fromLatin1(kStyleSheet);
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
    // The style sheet gives lists a transparent window colour, which is black by its numbers.
    const bool own = window.alpha() > 0;
    return (own ? window : QApplication::palette().color(QPalette::Window)).lightnessF() < 0.5;
}

}  // namespace

QString themeName(ThemeChoice choice) {
    return choice == ThemeChoice::dark    ? QStringLiteral("dark")
           : choice == ThemeChoice::light ? QStringLiteral("light")
                                          : QStringLiteral("system");
}

ThemeChoice themeFromName(const QString& name) {
    for (const ThemeChoice choice : {ThemeChoice::dark, ThemeChoice::light}) {
        if (name == themeName(choice)) return choice;
    }
    return ThemeChoice::system;
}

ThemeColours themeColours(bool dark) {
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
    c.warm = dark ? 0xe0a546 : 0xc98612;
    c.hot = dark ? 0xe8763e : 0xd65a1e;
    c.surface = dark ? 0xb9bdc6 : 0x9aa1ad;
    c.banner = dark ? 0x3a2425 : 0xfbe6e3;
    return c;
}

double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& colour) {
        const auto light = [](double part) {
            return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * light(colour.redF()) + 0.7152 * light(colour.greenF()) +
               0.0722 * light(colour.blueF()) + 0.05;
    };
    const auto [less, more] = std::minmax({luminance(a), luminance(b)});
    return more / less;
}

ThemeColours themeColours(const QPalette& palette) {
    return themeColours(isDark(palette));
}

void applyTheme(QApplication& application, ThemeChoice choice, const QPalette& systemPalette) {
    const bool dark =
        choice == ThemeChoice::dark || (choice == ThemeChoice::system && isDark(systemPalette));
    const ThemeColours colours = themeColours(dark);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(colours));
    application.setStyleSheet(styleSheet(colours));
}

QFont numberFont(const QFont& base) {
    const QFontMetricsF metrics(base);
    std::set<int> widths;
    for (char digit = '0'; digit <= '9'; ++digit) {
        widths.insert(qRound(metrics.horizontalAdvance(QLatin1Char(digit)) * 64));
    }
    if (widths.size() == 1) return base;
    QFont fixedFont = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (base.pixelSize() > 0) fixedFont.setPixelSize(base.pixelSize());
    if (base.pointSizeF() > 0) fixedFont.setPointSizeF(base.pointSizeF());
    return fixedFont;
}

void setRank(QWidget& widget, const char* rank) {
    widget.setProperty("rank", QString::fromLatin1(rank));
}

}  // namespace threefold::ui
