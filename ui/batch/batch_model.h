#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "ui/batch/batch_run.h"

namespace threefold::ui {

/// The rows of a run as a table that fills while it runs.
class BatchModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    /// `run` must outlive it.
    explicit BatchModel(const BatchRun& run) : run_(run) {}

    /// Where a failed item has no number, why it has none; else empty.
    static constexpr int kProblemRole = Qt::UserRole;
    static constexpr int kFirstNumber = 2;

    void reset();                        ///< after the run has started anew
    void appended(int first, int last);  ///< after the run has more rows
    void changed(int row) {
        Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1));
    }                                        ///< after a row has new values
    void setProtocol(std::size_t protocol);  ///< which of the run's is shown
    std::size_t protocol() const { return protocol_; }

    const SampleRecord& record(int row) const {
        return run_.records()[static_cast<std::size_t>(row)];
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : shown_;
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(batchColumns().size());
    }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    const BatchRun& run_;
    int shown_ = 0;
    std::size_t protocol_ = 0;
};

/// Sorts by numbers where a column has them; rows without one come last either way.
class BatchSort : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

/// Means over all and for each category; the first row is over all.
class BatchMeansModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    explicit BatchMeansModel(const BatchRun& run) : run_(run) {}

    void refresh(std::size_t protocol);
    /// The column that is averaged; null: the categories' or counts' column.
    const BatchColumn* columnOf(int column) const {
        return place(column) < 0 ? nullptr : &columnAt(place(column));
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(means_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    const BatchRun& run_;
    int place(int column) const;  // in batchColumns()

    std::vector<int> numbers_ = numberColumns();
    std::vector<std::pair<std::string, BatchMeans>> means_;
};

}  // namespace threefold::ui
