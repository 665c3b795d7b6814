#pragma once

#include <QWidget>

#include "ui/document/document.h"
#include "ui/style/widgets.h"

namespace threefold::ui {

class StageProgress;

/// The line at the bottom: the last event, and the progress of the document's run with a button to
/// cancel it.
class StatusLine : public QWidget {
    Q_OBJECT

  public:
    explicit StatusLine(const Document& document, QWidget* parent = nullptr);

    void say(const QString& text, const QString& tooltip = {});
    /// Names files that were written, all in one folder, beside a button that opens the folder.
    void saySaved(const std::vector<std::filesystem::path>& files);
    /// Opens a file or folder with the desktop's program for it; says where it is if there is none.
    void openOutside(const std::filesystem::path& path);
    QString text() const { return text_->wholeText(); }
    /// Adds a feature's widget between text and progress and takes ownership.
    void add(QWidget& part) { layout_->insertWidget(2, &part); }

  Q_SIGNALS:
    void cancelClicked();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void follow(const RunState& run);

    ElidedLabel* text_;
    QToolButton* openFolder_;
    QLabel* stage_;
    StageProgress* progress_;
    QToolButton* cancel_;
    QBoxLayout* layout_;
    std::filesystem::path folder_;  ///< of the files that were saved last
};

}  // namespace threefold::ui
