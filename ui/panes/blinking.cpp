#include "ui/panes/blinking.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTextEdit>
#include <QTimer>

#include "ui/panes/viewport.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {
namespace {

constexpr Qt::Key kKey = Qt::Key_B;

// Whether the widget uses letters: as text, or to search a list.
bool acceptsLetters(const QWidget* widget) {
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QAbstractItemView*>(widget) != nullptr;
}

class Blinking : public QObject {
    Q_DECLARE_TR_FUNCTIONS(Blinking)

  public:
    Blinking(const FeatureContext& context, Viewport& viewport)
        : QObject(&context.window),
          document_(context.document),
          window_(context.window),
          viewport_(viewport) {
        // A QShortcut sees the key's press but not its release.
        QAction* blink = context.actions.menu(MenuSection::viewPanes)
                             .addAction(tr("&Blink (hold)") + QStringLiteral("\tB"));
        blink->setToolTip(tr("Exchanges the two meshes while the key is held"));
        const auto stop = [this] { document_.look.setBlinking(false); };
        connect(blink, &QAction::triggered, this, [this, stop] {
            constexpr int kMilliseconds = 600;
            document_.look.setBlinking(true);
            QTimer::singleShot(kMilliseconds, this, stop);
        });
        qApp->installEventFilter(this);
        connect(qApp, &QGuiApplication::focusWindowChanged, this, stop);
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::KeyPress && event->type() != QEvent::KeyRelease) return false;
        if (watched != &viewport_ && watched != window_.windowHandle()) return false;
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (key.key() != kKey) return false;
        if (event->type() == QEvent::KeyRelease) {
            if (!key.isAutoRepeat()) document_.look.setBlinking(false);
            return false;
        }
        const bool plain = (key.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
        const bool text = watched != &viewport_ && acceptsLetters(QApplication::focusWidget());
        if (!plain || text) return false;
        if (!key.isAutoRepeat()) document_.look.setBlinking(true);
        return true;
    }

  private:
    Document& document_;
    QWidget& window_;
    Viewport& viewport_;
};

}  // namespace

void addBlinking(const FeatureContext& context, Viewport& viewport) {
    new Blinking(context, viewport);
}

}  // namespace threefold::ui
