#include "ui/batch/batch_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <QStringList>

#include "engine/text.h"

namespace threefold::ui {
namespace {

using ColumnKind = BatchColumn::Kind;
using CellValue = std::optional<double>;

/// Columns of a measure.
struct MeasureColumns {
    std::string_view key;    ///< MeasureDescription::key
    bool ofEachMesh = true;  ///< false: only the network's result has a column
};
constexpr MeasureColumns kMeasureColumns[] = {
    {"chamfer"}, {"f_tau"}, {"f_2tau", false}, {"overlap"}, {"surface_mean"}};

/// Finds a measure in kMeasureColumns; null: the measure has no columns.
const MeasureColumns* columnsOf(const MeasureDescription& measure) {
    const auto* const found = std::ranges::find(kMeasureColumns, measure.key, &MeasureColumns::key);
    return found == std::end(kMeasureColumns) ? nullptr : found;
}

/// Sorts columns from the order of the CSV into the order of the table: the sample, the columns of
/// the fit, the columns of the network. The order within the fit's columns, and within the
/// network's, is: F(τ), its difference, further truth measures, distances, silhouettes, times. The
/// columns of one measure begin with the last mesh.
std::vector<BatchColumn> inTableOrder(std::vector<BatchColumn> columns) {
    const auto rank = [&](const BatchColumn& column) {
        const bool isHeadline = column.measure != nullptr && column.measure->key == "f_tau";
        const int group = column.kind == ColumnKind::sample       ? -1
                          : isHeadline                            ? 0
                          : column.kind == ColumnKind::truth      ? 1
                          : column.kind == ColumnKind::distance   ? 2
                          : column.kind == ColumnKind::silhouette ? 3
                                                                  : 4;
        const auto measure = std::ranges::find(columns, column.measure, &BatchColumn::measure);
        const auto* const mesh = std::ranges::find(kBatchMeshes, column.mesh);
        return std::tuple(group >= 0, !column.belongsToFit(), group, column.isDifference(),
                          measure - columns.begin(), kBatchMeshes.end() - mesh);
    };
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].csvOrder = static_cast<int>(i);
    std::vector<BatchColumn> sorted = columns;
    std::ranges::stable_sort(sorted, {}, rank);
    for (BatchColumn& column : sorted) {
        if (!column.previousColumn) continue;
        const auto& previous = columns[static_cast<std::size_t>(*column.previousColumn)].name;
        column.previousColumn = static_cast<int>(
            std::ranges::find(sorted, previous, &BatchColumn::name) - sorted.begin());
    }
    return sorted;
}

// Function that reads a column's numbers, for BatchColumn::read.
using ColumnReader = std::function<CellValue(const SampleRecord&, std::size_t protocol)>;

ColumnReader readerOf(const TruthMeasure& measure, std::string_view mesh) {
    return [&measure, mesh](const SampleRecord& record, std::size_t protocol) -> CellValue {
        if (protocol >= record.scores.size()) return std::nullopt;
        const Scores* const scores = record.scores[protocol].find(mesh);
        return scores != nullptr ? measure.value(*scores) : std::nullopt;
    };
}

ColumnReader readerOf(const SilhouetteMeasure& measure, std::string_view mesh) {
    return [&measure, mesh](const SampleRecord& record, std::size_t) -> CellValue {
        const auto means = meansOf(record.silhouettes, mesh);
        return means ? measure.value(*means) : std::nullopt;
    };
}

ColumnReader readerOf(const SurfaceMeasure& measure, std::string_view mesh) {
    return [&measure, mesh](const SampleRecord& record, std::size_t) -> CellValue {
        const DistanceSummary* const distances = record.distances.find(mesh);
        return distances != nullptr ? CellValue(measure.value(*distances)) : std::nullopt;
    };
}

/// Difference between a mesh and the previous one.
ColumnReader differenceReader(const TruthMeasure& measure, std::string_view mesh) {
    return [later = readerOf(measure, mesh), before = readerOf(measure, *previousMesh(mesh))](
               const SampleRecord& record, std::size_t protocol) -> CellValue {
        const CellValue value = later(record, protocol);
        const CellValue other = before(record, protocol);
        return value && other ? CellValue(*value - *other) : std::nullopt;
    };
}

/// Makes the columns in the order of the CSV.
class ColumnBuilder {
  public:
    /// Adds the columns of those measures that have columns.
    template <class Measures>
    void addAll(ColumnKind kind, const Measures& measures,
                std::span<const std::string_view> meshes) {
        for (const auto& measure : measures) {
            const MeasureColumns* const shown = columnsOf(measure);
            if (shown == nullptr) continue;
            for (const std::string_view mesh : meshes)
                if (shown->ofEachMesh || mesh == kPublishedStageNames.back())
                    add(kind, measure, mesh);
        }
    }
    /// Adds the difference of a mesh and the previous one.
    void addDifference(const std::string& name, const TruthMeasure& measure,
                       std::string_view mesh) {
        columns_.push_back({ColumnKind::difference, name, mesh, &measure});
        columns_.back().read = differenceReader(measure, mesh);
    }
    void addTime(const std::string& name, std::string_view mesh,
                 const std::function<CellValue(const SampleRecord&)>& time) {
        columns_.push_back({ColumnKind::time, name, mesh});
        columns_.back().read = [time](const SampleRecord& record, std::size_t) {
            return time(record);
        };
    }
    std::vector<BatchColumn> finish() { return std::move(columns_); }

  private:
    static std::string nameOf(const MeasureDescription& measure, std::string_view mesh) {
        return std::string(measure.key) + '_' + std::string(mesh);
    }
    template <class AnyMeasure>
    void add(ColumnKind kind, const AnyMeasure& measure, std::string_view mesh) {
        BatchColumn column{kind, nameOf(measure, mesh), mesh, &measure};
        column.read = readerOf(measure, mesh);
        if (const auto previous = previousMesh(mesh)) {
            const auto found =
                std::ranges::find(columns_, nameOf(measure, *previous), &BatchColumn::name);
            if (found != columns_.end())
                column.previousColumn = static_cast<int>(found - columns_.begin());
        }
        columns_.push_back(std::move(column));
    }

    // In published tables, the column is named "item".
    std::vector<BatchColumn> columns_{{ColumnKind::sample, "item"}};
};

std::vector<BatchColumn> makeColumns() {
    constexpr std::span kNetworkMeshes(kPublishedStageNames);
    constexpr std::span kFittedMeshes = std::span(kBatchMeshes).last(1);
    const TruthMeasure& headline = truthMeasure("f_tau");
    const auto key = std::string(headline.key);
    ColumnBuilder builder;
    builder.addAll(ColumnKind::truth, truthMeasures(), kNetworkMeshes);
    builder.addDifference(key + "_difference", headline, kPublishedStageNames.back());
    builder.addAll(ColumnKind::silhouette, silhouetteMeasures(), kNetworkMeshes);
    builder.addTime("milliseconds", kPublishedStageNames.back(),
                    [](const SampleRecord& record) -> CellValue { return record.times.network; });
    builder.addAll(ColumnKind::distance, surfaceMeasures(), kNetworkMeshes);
    builder.addAll(ColumnKind::truth, truthMeasures(), kFittedMeshes);
    builder.addDifference(key + "_fit_difference", headline, kFittedMesh);
    builder.addAll(ColumnKind::silhouette, silhouetteMeasures(), kFittedMeshes);
    builder.addTime("fit_milliseconds", kFittedMesh,
                    [](const SampleRecord& record) -> CellValue { return record.times.fit; });
    builder.addAll(ColumnKind::distance, surfaceMeasures(), kFittedMeshes);
    return inTableOrder(builder.finish());
}

}  // namespace

std::optional<std::string_view> previousMesh(std::string_view mesh) {
    const auto* const match = std::ranges::find(kBatchMeshes, mesh);
    return match == kBatchMeshes.begin() ? std::nullopt : std::optional(*(match - 1));
}

const std::vector<BatchColumn>& batchColumns() {
    static const std::vector<BatchColumn> columns = makeColumns();
    return columns;
}

const BatchColumn& columnAt(int index) {
    return batchColumns()[static_cast<std::size_t>(index)];
}

int columnIndex(std::string_view name) {
    const auto& columns = batchColumns();
    const auto found = std::ranges::find(columns, name, &BatchColumn::name);
    if (found == columns.end())
        throw std::out_of_range("no column of a batch: " + std::string(name));
    return static_cast<int>(found - columns.begin());
}

std::vector<int> numberColumns() {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < batchColumns().size(); ++i)
        if (batchColumns()[i].isNumber()) numbers.push_back(static_cast<int>(i));
    return numbers;
}

std::vector<int> histogramColumns() {
    std::vector<int> order = numberColumns();
    std::ranges::stable_sort(order, {}, [](int index) {
        const BatchColumn& column = columnAt(index);
        const bool lower =
            column.measure != nullptr && column.measure->better == BetterDirection::lower;
        return std::tuple(column.belongsToFit(), column.kind, lower,
                          column.mesh == kPublishedStageNames.front());
    });
    return order;
}

std::optional<double> BatchColumn::scaleMax() const {
    if (measure == nullptr || isDifference()) return std::nullopt;
    if (measure->unit == Unit::percent) return 100;
    if (measure->unit == Unit::fraction || measure->unit == Unit::cosine) return 1;
    return std::nullopt;
}

CellValue BatchColumn::rawValue(const SampleRecord& record, std::size_t protocol) const {
    return read && record.succeeded() ? read(record, protocol) : std::nullopt;
}

CellValue BatchColumn::value(const SampleRecord& record, std::size_t protocol) const {
    const CellValue raw = rawValue(record, protocol);
    return raw && measure != nullptr ? CellValue(*raw * shownScale(measure->unit)) : raw;
}

double BatchColumn::gainInHalfDigits(double value, std::optional<double> previous) const {
    const double halfDigits = 2 * std::pow(10.0, decimals());
    if (isDifference()) return value * halfDigits;
    if (!previousColumn || !previous) return 0;
    return (measure->better == BetterDirection::lower ? *previous - value : value - *previous) *
           halfDigits;
}

bool BatchColumn::isWorse(double value, std::optional<double> previous) const {
    return gainInHalfDigits(value, previous) <= -1;
}

bool BatchColumn::isBetter(double value, std::optional<double> previous) const {
    return gainInHalfDigits(value, previous) >= 1;
}

QString sampleTitle(const SampleRecord& record) {
    return sampleTitle(record.category, shortSampleName(record));
}

std::string shortSampleName(const SampleRecord& record) {
    const std::string prefix = record.category + '_';
    if (record.category.empty() || !record.name.starts_with(prefix))
        return record.name.empty() ? record.listedName : record.name;
    const std::string rest = record.name.substr(prefix.size());
    return rest.substr(0, rest.rfind('_'));  // without the truth's view
}

bool anyHasDistances(const std::vector<SampleRecord>& records) {
    return std::ranges::any_of(records,
                               [](const auto& record) { return !record.distances.empty(); });
}

void BatchMeans::add(const SampleRecord& record, std::size_t protocol) {
    if (!record.succeeded()) {
        ++failed;
        return;
    }
    ++count;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
        const CellValue value = batchColumns()[i].value(record, protocol);
        if (!value) continue;
        sums_[i].sum += *value;
        ++sums_[i].count;
    }
}

std::optional<double> BatchMeans::mean(int column) const {
    const Sum& sum = sums_[static_cast<std::size_t>(column)];
    return sum.count == 0 ? std::nullopt : CellValue(sum.sum / static_cast<double>(sum.count));
}

QString batchCsv(const std::vector<SampleRecord>& records, Protocol measuredBy,
                 std::size_t protocol, const std::string& fit) {
    // Programs read the CSV, so its texts are not translated.
    QString csv;
    std::vector<int> inCsvOrder = numberColumns();
    std::ranges::sort(inCsvOrder, {}, [](int index) { return columnAt(index).csvOrder; });
    if (!anyHasDistances(records))
        std::erase_if(inCsvOrder, [](int index) { return columnAt(index).needsSurface(); });
    const auto addLine = [&](const SampleRecord& record, bool heading) {
        QStringList fields;
        const auto add = [&](const std::string& name, const std::string& text) {
            fields << QString::fromStdString(csvField(heading ? name : text));
        };
        const auto addNumbers = [&](bool ofFit) {
            for (const int index : inCsvOrder) {
                const BatchColumn& column = columnAt(index);
                if (!column.isNumber() || column.belongsToFit() != ofFit) continue;
                constexpr int kDigits = 9;
                const CellValue value = column.rawValue(record, protocol);
                add(column.name,
                    value ? QString::number(*value, 'g', kDigits).toStdString() : std::string());
            }
        };
        add("category", record.category);
        add("item", shortSampleName(record));
        add("protocol", std::string(protocolName(measuredBy)));
        addNumbers(false);
        add("problem", record.error);
        if (!fit.empty()) {
            add("fit_views", fit);
            addNumbers(true);
            add("fit_note", record.fitNote.value_or(""));
        }
        csv += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
    };
    addLine({}, true);
    for (const SampleRecord& record : records) addLine(record, false);
    return csv;
}

}  // namespace threefold::ui
