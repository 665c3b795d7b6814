#include "ui/input/data_set_model.h"

#include <algorithm>
#include <utility>

#include "ui/style/number_format.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

// Internal id of a category's row. The id of a sample's row is the index of the sample's category,
// plus 1.
constexpr quintptr kCategoryRow = 0;

std::string lowered(const std::string& text) {
    return QString::fromStdString(text).toLower().toStdString();
}

}  // namespace

void DataSetModel::clear(const QString& ownSamplesTitle) {
    beginResetModel();
    ownSamplesTitle_ = ownSamplesTitle;
    categories_.clear();
    shown_.clear();
    sampleCount_ = 0;
    matchCount_ = 0;
    endResetModel();
}

void DataSetModel::append(std::vector<DataSetSample> samples) {
    for (std::size_t from = 0; from < samples.size();) {
        // Inserts consecutive samples of one category together, with one signal for all.
        std::size_t to = from + 1;
        while (to < samples.size() && samples[to].category == samples[from].category) ++to;
        Category& category = categoryFor(samples[from]);
        const auto categoryIndex = static_cast<std::size_t>(&category - categories_.data());
        std::vector<std::size_t> matching;
        for (; from < to; ++from) {
            DataSetSample& source = samples[from];
            category.samples.push_back(
                {source.id, lowered(source.id), std::move(source.folder), source.hasTruth});
            ++sampleCount_;
            if (matches(category, category.samples.back()))
                matching.push_back(category.samples.size() - 1);
        }
        if (matching.empty()) continue;
        matchCount_ += matching.size();
        if (category.matching.empty()) {
            const int row = rowOf(categoryIndex);
            beginInsertRows({}, row, row);
            category.matching = std::move(matching);
            shown_.insert(shown_.begin() + row, categoryIndex);
            endInsertRows();
            continue;
        }
        const QModelIndex parent = index(rowOf(categoryIndex), 0);
        const auto first = static_cast<int>(category.matching.size());
        beginInsertRows(parent, first, first + static_cast<int>(matching.size()) - 1);
        category.matching.insert(category.matching.end(), matching.begin(), matching.end());
        endInsertRows();
        Q_EMIT dataChanged(parent, parent);
    }
}

DataSetModel::Category& DataSetModel::categoryFor(const DataSetSample& sample) {
    const auto match =
        std::find_if(categories_.rbegin(), categories_.rend(),
                     [&](const Category& known) { return known.id == sample.category; });
    if (match != categories_.rend()) return *match;
    Category category;
    category.id = sample.category;
    const std::string name = categoryName(sample.category);
    category.title = !name.empty()             ? QString::fromStdString(name)
                     : sample.category.empty() ? ownSamplesTitle_
                                               : QString::fromStdString(sample.category);
    category.key = lowered(category.id + ' ' + category.title.toStdString());
    categories_.push_back(std::move(category));
    return categories_.back();
}

void DataSetModel::setFilter(const QString& words) {
    std::vector<std::string> keys;
    for (const QString& word : words.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts))
        keys.push_back(word.toStdString());
    if (keys == keys_) return;
    keys_ = std::move(keys);
    beginResetModel();
    shown_.clear();
    matchCount_ = 0;
    for (std::size_t categoryIndex = 0; categoryIndex < categories_.size(); ++categoryIndex) {
        Category& category = categories_[categoryIndex];
        category.matching.clear();
        for (std::size_t i = 0; i < category.samples.size(); ++i)
            if (matches(category, category.samples[i])) category.matching.push_back(i);
        if (!category.matching.empty()) shown_.push_back(categoryIndex);
        matchCount_ += category.matching.size();
    }
    endResetModel();
}

bool DataSetModel::matches(const Category& category, const SampleRow& sample) const {
    return std::all_of(keys_.begin(), keys_.end(), [&](const std::string& key) {
        return sample.key.find(key) != std::string::npos ||
               category.key.find(key) != std::string::npos;
    });
}

void DataSetModel::setOpen(const std::filesystem::path& folder) {
    if (folder == open_) return;
    const QModelIndex before = openIndex();
    open_ = folder;
    for (const QModelIndex& changed : {before, openIndex()}) {
        if (!changed.isValid()) continue;
        Q_EMIT dataChanged(changed, changed);
        Q_EMIT dataChanged(changed.parent(), changed.parent());
    }
}

QModelIndex DataSetModel::openIndex() const {
    if (open_.empty()) return {};
    for (int row = 0; row < static_cast<int>(shown_.size()); ++row) {
        const Category& category = categories_[shown_[static_cast<std::size_t>(row)]];
        for (std::size_t i = 0; i < category.matching.size(); ++i)
            if (category.samples[category.matching[i]].folder == open_)
                return index(static_cast<int>(i), 0, index(row, 0));
    }
    return {};
}

std::filesystem::path DataSetModel::folderOf(const QModelIndex& index) const {
    const SampleRow* const sample = sampleAt(index);
    return sample == nullptr ? std::filesystem::path() : sample->folder;
}

QModelIndex DataSetModel::neighbour(const QModelIndex& from, int step) const {
    const int last = static_cast<int>(shown_.size()) - 1;
    int category = step > 0 ? -1 : last + 1;
    int row = 0;
    if (sampleAt(from) != nullptr) {
        category = from.parent().row();
        row = from.row() + step;
        if (row >= 0 && row < rowCount(from.parent())) return index(row, 0, from.parent());
    } else if (from.isValid()) {
        // A step forward from a category's row leads to the category's first sample, a step back to
        // the last sample of the previous category.
        category = step > 0 ? from.row() - 1 : from.row();
    }
    category += step;
    if (category < 0 || category > last) return {};
    const QModelIndex parent = index(category, 0);
    return index(step > 0 ? 0 : rowCount(parent) - 1, 0, parent);
}

QModelIndex DataSetModel::index(int row, int column, const QModelIndex& parent) const {
    if (column != 0 || row < 0 || row >= rowCount(parent)) return {};
    if (!parent.isValid()) return createIndex(row, 0, kCategoryRow);
    return createIndex(row, 0, static_cast<quintptr>(shown_[parent.row()] + 1));
}

QModelIndex DataSetModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kCategoryRow) return {};
    return createIndex(rowOf(child.internalId() - 1), 0, kCategoryRow);
}

int DataSetModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(shown_.size());
    if (parent.internalId() != kCategoryRow) return 0;
    const auto row = static_cast<std::size_t>(parent.row());
    return row < shown_.size() ? static_cast<int>(categories_[shown_[row]].matching.size()) : 0;
}

int DataSetModel::rowOf(std::size_t category) const {
    return static_cast<int>(std::lower_bound(shown_.begin(), shown_.end(), category) -
                            shown_.begin());
}

const DataSetModel::SampleRow* DataSetModel::sampleAt(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kCategoryRow) return nullptr;
    const Category& category = categories_[index.internalId() - 1];
    return &category.samples[category.matching[static_cast<std::size_t>(index.row())]];
}

QVariant DataSetModel::data(const QModelIndex& index, int role) const {
    if (const SampleRow* const sample = sampleAt(index)) return dataOf(*sample, role);
    if (!index.isValid()) return {};
    return dataOf(categories_[shown_[static_cast<std::size_t>(index.row())]], role);
}

QVariant DataSetModel::dataOf(const Category& category, int role) const {
    const auto count = static_cast<qint64>(category.matching.size());
    switch (role) {
        case Qt::DisplayRole:
            return category.title;
        case Qt::AccessibleTextRole:
            return tr("%1, %2 samples").arg(category.title, groupedCount(count));
        case Qt::ToolTipRole:
            return category.id.empty()
                       ? tr("%1 samples").arg(groupedCount(count))
                       : tr("%1 · ShapeNet %2 · %3 samples")
                             .arg(category.title, QString::fromStdString(category.id),
                                  groupedCount(count));
        case kIsSampleRole:
            return false;
        case kIdRole:
            return QString::fromStdString(category.id);
        case kCountRole:
            return count;
        case kIsOpenRole:
            return !open_.empty() && !category.samples.empty() &&
                   category.samples.front().folder.parent_path() == open_.parent_path();
        default:
            return {};
    }
}

QVariant DataSetModel::dataOf(const SampleRow& sample, int role) const {
    const QString name = QString::fromStdString(sample.name);
    switch (role) {
        case Qt::DisplayRole:
            return name;
        case Qt::AccessibleTextRole:
            return sample.hasTruth ? tr("%1, with truth").arg(name) : tr("%1, no truth").arg(name);
        case Qt::ToolTipRole:
            return pathText(sample.folder);
        case kIsSampleRole:
            return true;
        case kHasTruthRole:
            return sample.hasTruth;
        case kFolderRole:
            return pathText(sample.folder);
        case kIsOpenRole:
            return sample.folder == open_;
        default:
            return {};
    }
}

}  // namespace threefold::ui
