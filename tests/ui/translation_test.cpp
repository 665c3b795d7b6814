#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTranslator>

#include "tests/ui/window_fixture.h"
#include "ui/batch/batch_panel.h"
#include "ui/input/data_set_browser.h"
#include "ui/style/elided_label.h"

namespace threefold::ui {
namespace {

class Brackets : public QTranslator {
  public:
    QString translate(const char*, const char* source, const char*, int) const override {
        return QStringLiteral("⟦%1⟧").arg(QString::fromUtf8(source));
    }
    bool isEmpty() const override { return false; }
};

class Translation : public test::WindowTest {
  protected:
    Translation() {
        QCoreApplication::installTranslator(&brackets_);
        useNetwork([] {
            return oneDevice(
                std::make_unique<test::FakeBackend>(std::make_shared<test::FakeBehaviour>()));
        });
    }
    ~Translation() override { QCoreApplication::removeTranslator(&brackets_); }

    // Expects a translation, except of numbers, symbols and file names.
    static void expectBracketed(const QString& text, const QWidget& widget) {
        bool hasWord = false;
        for (const QChar letter : text) hasWord = hasWord || letter.isLetter();
        if (!hasWord || text.contains(QLatin1Char('/'))) return;
        EXPECT_TRUE(text.contains(QStringLiteral("⟦")))
            << widget.metaObject()->className() << ": " << text.toStdString();
    }
    static void expectAllBracketed(const QWidget& part) {
        for (const QWidget* widget : part.findChildren<QWidget*>()) {
            expectBracketed(widget->accessibleName(), *widget);
            expectBracketed(widget->toolTip(), *widget);
            if (const auto* elided = dynamic_cast<const ElidedLabel*>(widget)) {
                expectBracketed(elided->fullText(), *widget);
            } else if (const auto* label = qobject_cast<const QLabel*>(widget)) {
                expectBracketed(label->text(), *widget);
            }
            if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
                expectBracketed(button->text(), *widget);
            }
            if (const auto* field = qobject_cast<const QLineEdit*>(widget)) {
                expectBracketed(field->placeholderText(), *widget);
            }
        }
    }

  private:
    Brackets brackets_;
};

TEST_F(Translation, coversAllTextsOfTheShell) {
    expectAllBracketed(*window().findChild<DataSetBrowser*>());
    expectAllBracketed(*window().findChild<BatchPanel*>());
    expectAllBracketed(*window().findChild<QDockWidget*>("log")->widget());
    expectAllBracketed(*window().findChild<QWidget*>("firstRunHint"));
    for (const auto* dock : window().findChildren<QDockWidget*>()) {
        expectBracketed(dock->windowTitle(), *dock);
    }
    for (const QAction* menu : window().menuBar()->actions()) {
        expectBracketed(menu->text(), *window().menuBar());
    }
}

}  // namespace
}  // namespace threefold::ui
