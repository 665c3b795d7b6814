#pragma once

#include <QLabel>
#include <QString>

namespace threefold::ui {

/// A line of plain text, elided with "…" to the available width. The tooltip shows the whole text
/// unless another tooltip is set.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    void setFullText(const QString& text, const QString& tooltip = {});
    const QString& fullText() const { return full_; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(full_) + 2, fontMetrics().height()};
    }

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fit() { setText(fontMetrics().elidedText(full_, mode_, contentsRect().width())); }

    Qt::TextElideMode mode_;
    QString full_;
};

}  // namespace threefold::ui
