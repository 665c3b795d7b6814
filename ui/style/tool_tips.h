#pragma once

#include <QFontMetrics>
#include <QObject>
#include <QString>

namespace threefold::ui {

/// Breaks plain text between words so that no line is wider than `width` pixels, unless a single
/// word is wider. Lines of the text stay lines.
QString wrappedText(const QString& text, const QFontMetrics& metrics, int width);

/// Wraps the tooltips of all widgets, menus and lists, because Qt shows plain text on one line,
/// however long. Child of the application's main window.
class WrappedToolTips : public QObject {
    Q_OBJECT

  public:
    explicit WrappedToolTips(QObject* parent);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace threefold::ui
