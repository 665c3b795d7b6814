#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QTest>
#include <QToolBar>
#include <QToolButton>

#include "tests/ui/window_fixture.h"
#include "ui/shell/actions.h"

namespace threefold::ui {
namespace {

std::string describe(const QWidget& widget) {
    QStringList parts{widget.metaObject()->className(), widget.objectName(),
                      widget.accessibleName()};
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
        parts << button->text();
    }
    for (const QWidget* at = widget.parentWidget(); at != nullptr; at = at->parentWidget()) {
        parts << QStringLiteral("<") << at->metaObject()->className();
    }
    return parts.join(QLatin1Char(' ')).toStdString();
}

class Accessibility : public test::WindowTest {
  protected:
    bool isPanes(const QWidget* widget) {
        return widget != nullptr &&
               qstrcmp(widget->metaObject()->className(), "QWindowContainer") == 0;
    }
    // The panes are a separate window: while the panes have the focus, no widget of the main window
    // has the focus.
    bool panesHaveKeyboard() { return QGuiApplication::focusWindow() == &viewport(); }
    void press(Qt::Key key) {
        QWidget* focused = window().focusWidget();
        if (panesHaveKeyboard()) {
            QTest::keyClick(&viewport(), key);
        } else {
            QTest::keyClick(focused == nullptr ? &window() : focused, key);
        }
        // The window system moves the focus between windows asynchronously.
        waitUntil([this] {
            const QWidget* now = window().focusWidget();
            return panesHaveKeyboard() == (now == nullptr || isPanes(now));
        });
    }
    // Widgets that Tab must reach: visible, enabled, and with Qt::TabFocus.
    std::vector<QWidget*> focusable() {
        std::vector<QWidget*> widgets;
        for (QWidget* widget : window().findChildren<QWidget*>()) {
            const bool byTab = (widget->focusPolicy() & Qt::TabFocus) != 0;
            if (byTab && widget->isVisible() && widget->isEnabled() && !widget->isWindow() &&
                widget->focusProxy() == nullptr) {
                widgets.push_back(widget);
            }
        }
        return widgets;
    }
    void showEverything() {
        window().resize(1600, 1200);  // large enough for all docks and bars
        for (auto* dock : window().findChildren<QDockWidget*>()) dock->show();
        ASSERT_TRUE(open(test::bundledSampleFolder()));
        window().activateWindow();
        ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    }
};

TEST_F(Accessibility, reachesEveryControlByTab) {
    showEverything();
    std::set<QWidget*> reached;
    window().setFocus();
    const auto wanted = focusable();
    const auto found = std::find_if(wanted.begin(), wanted.end(),
                                    [this](const QWidget* widget) { return isPanes(widget); });
    ASSERT_NE(found, wanted.end());
    QWidget* panes = *found;
    for (std::size_t step = 0; step < wanted.size() * 2 + 10; ++step) {
        press(Qt::Key_Tab);
        reached.insert(panesHaveKeyboard() ? panes : window().focusWidget());
    }
    for (const QWidget* widget : wanted) {
        EXPECT_TRUE(reached.contains(const_cast<QWidget*>(widget))) << describe(*widget);
    }
    EXPECT_GT(wanted.size(), 15U);
}

TEST_F(Accessibility, ordersTabStops_fromTopLeftToBottomRight) {
    showEverything();
    auto& actions = *window().findChild<Actions*>();
    QWidget* first = actions.toolBar().widgetForAction(actions.open);
    const auto begin = [&] {
        window().activateWindow();
        first->setFocus();
        return waitUntil([&] { return !panesHaveKeyboard() && first->hasFocus(); });
    };
    ASSERT_TRUE(begin());
    std::vector<QByteArray> met{first->metaObject()->className()};
    for (std::size_t step = 0, steps = focusable().size(); step < steps; ++step) {
        press(Qt::Key_Tab);
        const QWidget* now = window().focusWidget();
        met.emplace_back(panesHaveKeyboard() || now == nullptr ? "QWindowContainer"
                                                               : now->metaObject()->className());
    }
    const char* const expected[] = {"QToolButton",
                                    "threefold::ui::ViewTile",
                                    "threefold::ui::DataSetTree",
                                    "QWindowContainer",
                                    "threefold::ui::ValueRangeHandle",
                                    "threefold::ui::StageSlider",
                                    "threefold::ui::ThresholdPlot"};
    auto place = met.begin();
    for (const char* name : expected) {
        const auto one = std::find(met.begin(), met.end(), name);
        ASSERT_NE(one, met.end()) << name;
        EXPECT_LE(place - met.begin(), one - met.begin()) << name << " is out of order";
        place = one;
    }
    // Shift+Tab undoes Tab.
    ASSERT_TRUE(begin());
    press(Qt::Key_Tab);
    EXPECT_NE(window().focusWidget(), first);
    press(Qt::Key_Backtab);
    EXPECT_EQ(window().focusWidget(), first);
}

TEST_F(Accessibility, namesEveryControl) {
    showEverything();
    for (QWidget* widget : focusable()) {
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(face, nullptr) << describe(*widget);
        const QString name = face->text(QAccessible::Name);
        EXPECT_FALSE(name.isEmpty()) << describe(*widget);
        EXPECT_NE(name, QStringLiteral("✕")) << describe(*widget);
    }
}

TEST_F(Accessibility, marksTheFocusedControl) {
    showEverything();
    for (QWidget* widget : focusable()) {
        if (isPanes(widget)) continue;  // drawn by Vulkan, so grab() does not show the panes
        window().setFocus();
        QCoreApplication::processEvents();
        const QImage without = widget->grab().toImage();
        widget->setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
        ASSERT_TRUE(widget->hasFocus()) << describe(*widget);
        const QImage with = widget->grab().toImage();
        EXPECT_NE(without, with) << describe(*widget);
    }
}

TEST_F(Accessibility, contrastsTextsWithTheirBackground_inBothThemes) {
    showEverything();
    constexpr double kMinContrast = 4.5;  // WCAG 2.1, level AA
    constexpr int kScale = 3;  // enlarged, so that strokes have pixels of their full colour
    for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light, ThemeChoice::dark}) {
        window().setTheme(theme);
        QCoreApplication::processEvents();
        QImage picture(window().size() * kScale, QImage::Format_RGB32);
        QPainter painter(&picture);
        painter.scale(kScale, kScale);
        window().render(&painter);
        painter.end();
        int texts = 0;
        for (const QWidget* widget : window().findChildren<QWidget*>()) {
            const auto* label = qobject_cast<const QLabel*>(widget);
            const auto* button = qobject_cast<const QToolButton*>(widget);
            const QString text =
                label != nullptr ? label->text()
                : button != nullptr && button->toolButtonStyle() != Qt::ToolButtonIconOnly
                    ? button->text()
                    : QString();
            if (text.trimmed().isEmpty() || !widget->isVisible() || !widget->isEnabled()) continue;
            const QRect inside(widget->mapTo(&window(), widget->contentsRect().topLeft()),
                               widget->contentsRect().size());
            // Skips widgets that are scrolled out of sight, or covered by the panes' window.
            if (widget->visibleRegion().boundingRect().size() != widget->size()) continue;
            constexpr int kFrame = 2;
            const QRect at = inside.adjusted(kFrame, kFrame, -kFrame, -kFrame);
            const double found =
                test::contrastIn(picture.copy(QRect(at.topLeft() * kScale, at.size() * kScale)));
            EXPECT_GE(found, kMinContrast) << text.toStdString() << " in theme "
                                           << static_cast<int>(theme) << ", " << describe(*widget);
            ++texts;
        }
        EXPECT_GT(texts, 45);
    }
}

TEST_F(Accessibility, cutsNoText_atAnySize) {
    showEverything();
    for (const QSize size : {QSize(1, 1), QSize(1200, 800), QSize(2400, 1500)}) {
        window().resize(size.expandedTo(window().minimumSizeHint()));
        waitUntil([] {
            QCoreApplication::processEvents();
            return true;
        });
        for (const QLabel* label : window().findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty() || label->wordWrap()) continue;
            if (label->textFormat() == Qt::RichText) continue;
            const int needed = label->fontMetrics().horizontalAdvance(label->text());
            EXPECT_LE(needed, label->contentsRect().width() + 1)
                << size.width() << " wide: " << label->text().toStdString();
        }
        for (const QToolButton* button : window().findChildren<QToolButton*>()) {
            if (!button->isVisible() || button->text().isEmpty() ||
                button->toolButtonStyle() == Qt::ToolButtonIconOnly) {
                continue;
            }
            EXPECT_LE(button->fontMetrics().horizontalAdvance(button->text()), button->width())
                << size.width() << " wide: " << button->text().toStdString();
        }
    }
}

}  // namespace
}  // namespace threefold::ui
