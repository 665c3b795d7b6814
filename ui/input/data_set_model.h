#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <QAbstractItemModel>

#include "engine/sample/data_set.h"

namespace threefold::ui {

/// Two-level item model of a data set: categories and samples. Grows during the scan. A filter
/// hides rows that do not match and takes a few milliseconds for tens of thousands of samples.
class DataSetModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Role {
        kIsSampleRole = Qt::UserRole,  ///< bool
        kIdRole,                       ///< of a category: "02691156"; empty outside ShapeNet
        kCountRole,                    ///< of a category: number of matching samples
        kHasTruthRole,                 ///< of a sample: bool
        kFolderRole,                   ///< of a sample: QString
        kIsOpenRole,                   ///< whether it is or contains the open sample: bool
    };

    using QAbstractItemModel::QAbstractItemModel;

    /// Removes all samples; keeps the filter and the open sample. `ownSamplesTitle` is the title of
    /// the category for samples outside ShapeNet's layout.
    void clear(const QString& ownSamplesTitle);
    /// Appends samples, which come in the order of walkDataSet().
    void append(std::vector<DataSetSample> samples);

    /// Shows samples for which every word occurs in the category's id or name, or in the sample's
    /// name, regardless of case.
    void setFilter(const QString& words);
    bool isFiltered() const { return !keys_.empty(); }

    /// Marks the open sample; empty: none.
    void setOpen(const std::filesystem::path& folder);
    QModelIndex openIndex() const;  ///< invalid if absent or filtered out

    std::size_t sampleCount() const { return sampleCount_; }
    std::size_t matchCount() const { return matchCount_; }
    std::size_t categoryCount() const { return categories_.size(); }
    std::filesystem::path folderOf(const QModelIndex& index) const;
    /// The matching sample after (`step` 1) or before (−1) the index `from`, across categories; for
    /// an invalid index, the first or last sample. Invalid past either end.
    QModelIndex neighbour(const QModelIndex& from, int step) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override { return 1; }
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    struct SampleRow {
        std::string name;
        std::string key;  // lower-case name
        std::filesystem::path folder;
        bool hasTruth = false;
    };
    struct Category {
        std::string id;
        QString title;
        std::string key;
        std::vector<SampleRow> samples;
        std::vector<std::size_t> matching;  // indices into samples
    };

    bool matches(const Category& category, const SampleRow& sample) const;
    Category& categoryFor(const DataSetSample& sample);
    int rowOf(std::size_t category) const;
    const SampleRow* sampleAt(const QModelIndex& index) const;
    QVariant dataOf(const Category& category, int role) const;
    QVariant dataOf(const SampleRow& sample, int role) const;

    QString ownSamplesTitle_;
    std::vector<Category> categories_;
    std::vector<std::size_t> shown_;  // categories with a match, by row
    std::vector<std::string> keys_;   // the words of the filter, in lower case
    std::filesystem::path open_;
    std::size_t sampleCount_ = 0;
    std::size_t matchCount_ = 0;
};

}  // namespace threefold::ui
