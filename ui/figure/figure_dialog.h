#pragma once

#include <functional>
#include <map>
#include <memory>

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include "ui/document/background.h"
#include "ui/document/newest_task.h"
#include "ui/figure/figure_page.h"

class QBoxLayout;

namespace threefold::ui {

/// Dialog that asks for columns, width and background of a figure, and shows a preview of the page.
/// GUI thread only.
class FigureDialog : public QDialog {
    Q_OBJECT

  public:
    /// `page` gives rows and look. `thread` draws the preview and must outlive the dialog.
    FigureDialog(FigurePage page, QThreadPool& thread, QWidget* parent);

    /// The page with the choices.
    FigurePage page() const;
    QCheckBox& column(MeshId column) { return *columns_.at(column); }
    /// The last drawn preview; null: none yet, or an error, which note() describes.
    const QImage& preview() const { return preview_; }
    bool isUpToDate() const { return !timer_.isActive() && running_ == 0; }
    QString note() const { return note_->text(); }

  Q_SIGNALS:
    void saveRequested(const threefold::ui::FigurePage& page);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QBoxLayout* makeColumnBoxes();
    void layOut();
    void connectChoices();
    /// Stops the outdated preview, and draws another soon.
    void redraw();
    void draw();
    void showPreview();

    FigurePage page_;
    QThreadPool& thread_;
    std::map<MeshId, QCheckBox*> columns_;
    QSpinBox* width_;
    QComboBox* background_;
    QLabel* picture_;
    QLabel* note_;
    QPushButton* save_;
    QTimer timer_;  // redraws the preview soon after the last change
    NewestTask request_;
    int running_ = 0;
    std::shared_ptr<FigureCache> cache_;  // of all previews
    QImage preview_;
};

}  // namespace threefold::ui
