#pragma once

#include <QListWidget>
#include <QTimer>

#include "ui/document/kept_results.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class Inspector;
class Viewport;

/// The kept results, newest first, in the inspector; folded at first. A click or Return shows one,
/// with Ctrl it is compared with the shown one. The menu of a row pins and forgets it.
class ResultsList : public QWidget {
    Q_OBJECT

  public:
    ResultsList(const WindowParts& parts, Viewport& viewport, Inspector& inspector,
                KeptResults& kept);

    QToolButton& header() { return *header_; }
    QListWidget& list() { return *list_; }

  Q_SIGNALS:
    void compareAsked(const threefold::ui::ResultRef& result);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void refresh();
    void drawNext();
    void openRow(int row, bool compare);
    void showMenu(QPoint position);
    ResultRef at(int row) const;

    WindowParts parts_;
    Viewport& viewport_;
    KeptResults& kept_;
    QToolButton* header_;
    QListWidget* list_;
    const Result* shown_ = nullptr;  ///< when the list was filled; not to be followed
    QTimer draw_;                    ///< waits until no new result has come for a while
    bool drawing_ = false;           ///< a picture is under way
};

}  // namespace threefold::ui
