#pragma once

#include <cstddef>

#include <QDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>

#include "ui/run/view_trials.h"

namespace threefold::ui {

/// Asks before ViewTrials runs the network up to ViewTrials::kMaxTrials times, then shows the time
/// left and a table of the choices tried so far, with the best choice marked. A click on a heading
/// sorts the rows, which otherwise stay in place. A click on a row, or Enter, chooses its views.
class ViewTrialsDialog : public QDialog {
    Q_OBJECT

  public:
    ViewTrialsDialog(ViewTrials& trials, QWidget* parent);

    QString state() const { return state_->text(); }

  Q_SIGNALS:
    void chosen(std::size_t trial);

  private:
    void refresh();
    QString stateText() const;
    void sortBy(int column);

    ViewTrials& trials_;
    bool asks_ = true;               // until the first start
    std::vector<std::size_t> rows_;  // index of the trial in each row
    QLabel* state_;
    QProgressBar* progress_;
    QTableWidget* table_;
    QPushButton* start_;  // starts the trials, stops them, or starts them again
};

}  // namespace threefold::ui
