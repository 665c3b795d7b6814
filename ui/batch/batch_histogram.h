#pragma once

#include <QWidget>

#include "ui/batch/batch_columns.h"
#include "ui/style/number_format.h"

namespace threefold::ui {

/// Histogram of one column's values over the samples, with their mean.
class BatchHistogram : public QWidget {
    Q_OBJECT

  public:
    explicit BatchHistogram(QWidget* parent = nullptr) : QWidget(parent) {
        setAccessibleName(tr("Histogram"));
    }

    /// `protocol`: index of one of the run's protocols.
    void setRecords(const std::vector<SampleRecord>& records, const BatchColumn& column,
                    std::size_t protocol = 0);

    const std::vector<int>& bins() const { return bins_; }
    /// Number of samples in each bin that a stage made worse, drawn red.
    const std::vector<int>& worse() const { return worse_; }
    QRectF meanLabel() const;  ///< rectangle of the mean's label, under its line
    qreal meanLine() const;    ///< x of the mean's line
    double lowest() const { return lowest_; }
    double highest() const { return highest_; }

    QSize sizeHint() const override { return {280, 120}; }
    QSize minimumSizeHint() const override { return {160, 72}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QRectF plot() const;
    QRectF texts() const;
    QString meanText() const { return tr("mean %1").arg(fixedText(mean_, decimals_)); }

    int decimals_ = 0;
    std::vector<int> bins_;
    std::vector<int> worse_;
    double lowest_ = 0;
    double highest_ = 0;
    double mean_ = 0;
    int count_ = 0;
};

}  // namespace threefold::ui
