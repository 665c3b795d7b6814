#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "ui/batch/batch_run.h"

namespace threefold::ui {

/// Table model of a run's records; grows while the run computes.
class BatchModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    /// `run` must outlive the model.
    explicit BatchModel(const BatchRun& run) : run_(run) {}

    /// Reason why a failed sample has no number in a number column; otherwise empty.
    static constexpr int kProblemRole = Qt::UserRole;
    static constexpr int kFirstNumberColumn = 1;

    void reset();  ///< call it after the run has started anew
    /// Shows rows that the run has added.
    void onRowsAppended(int first, int last);
    /// Shows the new values of a row.
    void onRowChanged(int row) { Q_EMIT dataChanged(index(row, 0), index(row, columnCount() - 1)); }
    void setProtocol(std::size_t protocol);  ///< index of the shown protocol
    std::size_t protocol() const { return protocol_; }

    const SampleRecord& record(int row) const {
        return run_.records()[static_cast<std::size_t>(row)];
    }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : rowCount_;
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(batchColumns().size());
    }
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    const BatchRun& run_;
    int rowCount_ = 0;
    std::size_t protocol_ = 0;
};

/// Sorts number columns by value; rows without a number come last in both orders.
class BatchSort : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    /// Title of the column; an arrow follows the title of the column by which the rows are sorted.
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

/// Means over all samples (first row) and for each category.
class BatchMeansModel : public QAbstractTableModel {
    Q_OBJECT

  public:
    explicit BatchMeansModel(const BatchRun& run) : run_(run) {}

    void refresh(std::size_t protocol);
    /// The averaged column; null: the column of categories or of counts.
    const BatchColumn* columnOf(int column) const {
        const std::optional<int> index = batchColumnIndex(column);
        return index ? &columnAt(*index) : nullptr;
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(means_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    const BatchRun& run_;
    std::optional<int> batchColumnIndex(int column) const;  // in batchColumns()

    std::vector<int> numbers_ = numberColumns();
    std::vector<std::pair<std::string, BatchMeans>> means_;
};

}  // namespace threefold::ui
