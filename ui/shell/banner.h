#pragma once

#include <string>

#include <QFrame>
#include <QLabel>
#include <QStringList>

#include "engine/error.h"

namespace threefold::ui {

/// Error message with its remedy, above the panes.
class Banner : public QFrame {
    Q_OBJECT

  public:
    explicit Banner(QWidget* parent = nullptr);
    /// Shows the report's message and remedy in place of the previous ones.
    void show(const ErrorReport& report);
    /// Shows the first of `remarks` (not empty), the gravest first, in place of the previous
    /// message: each on a line of its own. The tooltip has all of them.
    void showRemarks(const QString& subject, const QStringList& remarks);
    /// Hides the message if it is of this subject; messages of others stay.
    void hideReportOf(const std::string& subject);
    /// Message and remedy, separated by a space; empty while hidden.
    QString text() const {
        return isHidden() ? QString() : message_->text() + ' ' + remedy_->text();
    }
    void setVisible(bool on) override {
        QFrame::setVisible(on);
        Q_EMIT shown(on);
    }

  Q_SIGNALS:
    void shown(bool on);

  private:
    /// Shows the texts of message_ and remedy_.
    void showTexts(const std::string& subject);

    std::string subject_;
    QLabel* message_;
    QLabel* remedy_;
};

}  // namespace threefold::ui
