#pragma once

#include <QBoxLayout>
#include <QContextMenuEvent>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "ui/panes/header_text.h"

namespace threefold::ui {

/// The header of one mesh: its title, its size, and a menu.
class PaneHeader : public QWidget {
    Q_OBJECT

  public:
    explicit PaneHeader(QWidget* parent = nullptr);
    /// Sets the texts. `choosable`: whether the header has a menu.
    void setText(const HeaderText& text, bool choosable);

    QString title() const { return text_.title; }
    QString detail() const { return text_.detail; }
    QString swatch() const { return text_.swatch; }
    /// Adds a widget at the right of the title.
    void addWidget(QWidget* widget) { row_->insertWidget(1, widget); }

  Q_SIGNALS:
    void menuRequested(QPoint global);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override {
        Q_EMIT menuRequested(event->globalPos());
    }
    void mousePressEvent(QMouseEvent*) override {}  // accepts the press, to receive the release
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void refresh();

    HeaderText text_;
    bool choosable_ = false;
    QLabel* label_;
    QToolButton* menu_;
    QBoxLayout* row_;
};

}  // namespace threefold::ui
