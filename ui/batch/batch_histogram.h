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

    /// Number of samples in each bin.
    const std::vector<int>& counts() const { return counts_; }
    /// For each bin, the number of its samples that a stage made worse; drawn red.
    const std::vector<int>& worseCounts() const { return worseCounts_; }
    QRectF meanLabel() const;  ///< rectangle of the mean's label, below the mean's line
    qreal meanX() const;       ///< x of the mean's line
    /// Ends of the scale of values, in the unit that the column displays.
    double min() const { return min_; }
    double max() const { return max_; }

    QSize sizeHint() const override { return {280, 120}; }
    QSize minimumSizeHint() const override { return {160, 72}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QRectF plotArea() const;
    QRectF labelArea() const;  ///< below plotArea()
    QString meanText() const { return tr("mean %1").arg(fixedText(mean_, decimals_)); }

    int decimals_ = 0;
    std::vector<int> counts_;
    std::vector<int> worseCounts_;
    double min_ = 0;
    double max_ = 0;
    double mean_ = 0;
    int count_ = 0;
};

}  // namespace threefold::ui
