#pragma once

#include <QLabel>

namespace threefold::ui {

/// One line of plain text, elided with "…" to the available width. The tooltip shows the whole text
/// unless another one is set.
class ElidedLabel : public QLabel {
    Q_OBJECT

  public:
    explicit ElidedLabel(QWidget* parent = nullptr, Qt::TextElideMode mode = Qt::ElideRight);

    void setWholeText(const QString& text, const QString& tooltip = {});
    const QString& wholeText() const { return whole_; }

    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fit();

    Qt::TextElideMode mode_;
    QString whole_;
};

}  // namespace threefold::ui
