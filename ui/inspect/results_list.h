#pragma once

#include <functional>

#include <QListWidget>
#include <QMenu>
#include <QTimer>

#include "ui/document/measured_meshes.h"
#include "ui/document/result_history.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class Inspector;
class Viewport;

/// The list of kept results in the inspector, newest first, collapsed at first. Click or Return
/// shows a result; with Ctrl, compares the result with the shown result. A row's menu pins or
/// forgets its result.
class ResultsList : public QWidget {
    Q_OBJECT

  public:
    ResultsList(const FeatureContext& context, Viewport& viewport, Inspector& inspector);

    /// Adds a submenu of the results other than the shown result. A command first calls `prepare`,
    /// then requests to compare its result.
    void addEarlier(QMenu& menu, const std::function<void()>& prepare);

  Q_SIGNALS:
    void compareRequested(const threefold::ui::ResultRef& result);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void layOut();
    void connectRows();
    void refresh();
    void drawNext();
    void showRow(int row);
    void compareRow(int row);  ///< with the shown result
    /// Shows the row's result; with Ctrl, compares this result with the shown result.
    void openRow(int row, Qt::KeyboardModifiers modifiers);
    void showMenu(QPoint position);
    ResultRef at(int row) const;
    void selectShown();

    FeatureContext context_;
    Viewport& viewport_;
    QToolButton* header_;
    QListWidget* list_;
    std::weak_ptr<const Result> shown_;  ///< the shown result at the last refresh
    QTimer draw_;             ///< delays drawing until no new result has come for a while
    std::size_t opened_ = 0;  ///< number of opened meshes
    bool drawing_ = false;    ///< a requested picture is not drawn yet
};

/// Adds the list to the inspector, and its command to the View menu.
ResultsList& addResultsList(const FeatureContext& context, Viewport& viewport,
                            Inspector& inspector);

}  // namespace threefold::ui
