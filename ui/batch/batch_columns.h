#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

#include "engine/measures/measure_table.h"
#include "engine/pipeline/sample_record.h"
#include "ui/results/sample_title.h"

namespace threefold::ui {

/// Meshes that an evaluation measures, each compared with the previous one: kPublishedStageNames,
/// then kFittedMesh.
inline constexpr std::array<std::string_view, 3> kBatchMeshes{kPublishedStageNames[0],
                                                              kPublishedStageNames[1], kFittedMesh};

/// The previous mesh in kBatchMeshes; none before the first.
std::optional<std::string_view> previousMesh(std::string_view mesh);

/// Column of the batch table; kMeasureColumns lists the measures that have columns.
struct BatchColumn {
    enum class Kind {
        sample,      ///< the sample's title: "airplane · p0001"
        truth,       ///< a measure against the truth
        difference,  ///< change of a truth measure from the previous mesh; < 0: worse
        silhouette,
        distance,  ///< distance to the truth's surface, for truths with faces
        time,
    };
    Kind kind;
    std::string name;                                     ///< in CSV: "chamfer_coarse"
    std::string_view mesh = kPublishedStageNames.back();  ///< one of kBatchMeshes
    const MeasureDescription* measure = nullptr;          ///< null: the column shows no measure
    /// Index of the same measure's column for the previous mesh; nullopt: none.
    std::optional<int> previousColumn = {};
    /// Reads rawValue() from the record of a sample that has not failed; null in text columns.
    std::function<std::optional<double>(const SampleRecord&, std::size_t protocol)> read = {};
    int csvOrder = 0;  ///< position among the columns of the CSV

    bool isNumber() const { return kind != Kind::sample; }
    bool isDifference() const { return kind == Kind::difference; }
    bool belongsToFit() const { return mesh == kFittedMesh; }  ///< shown for runs with a fit
    /// Whether the column has numbers only for truths with faces.
    bool needsSurface() const { return kind == Kind::distance; }
    int decimals() const { return measure != nullptr ? shownDecimals(measure->unit) : 1; }
    /// Upper end of the histogram's scale, which then begins at 0; nullopt: the scale depends on
    /// the values.
    std::optional<double> scaleMax() const;
    /// Displayed number, used for sorting and means; nullopt for text columns, failed samples
    /// and absent numbers.
    /// `protocol`: index in the run's protocols.
    std::optional<double> value(const SampleRecord& record, std::size_t protocol = 0) const;
    /// value() without the display factor (shownScale()).
    std::optional<double> rawValue(const SampleRecord& record, std::size_t protocol) const;
    /// Whether `value` is worse, or better, than `previous`, the value of the previous mesh, by at
    /// least half a unit of the last displayed digit; false if there is no previous value. A
    /// difference is compared with 0, not with `previous`.
    bool isWorse(double value, std::optional<double> previous) const;
    bool isBetter(double value, std::optional<double> previous) const;

  private:
    /// Improvement over the previous mesh, in units of half the last displayed digit; 0 without a
    /// previous value.
    double gainInHalfDigits(double value, std::optional<double> previous) const;
};

/// All columns in the order of the table: the sample; the columns of the fitted mesh, F(τ) first;
/// the columns of the network's meshes, F(τ) first.
const std::vector<BatchColumn>& batchColumns();
const BatchColumn& columnAt(int index);
/// Index of the column named `name`. Throws std::out_of_range if there is none.
int columnIndex(std::string_view name);
/// Indices of the columns with numbers, in the order of the histogram's choices: first the
/// network's columns, then the fit's, both sorted by kind. Within a kind, measures where higher is
/// better come before the others, and each of these two groups ends with the coarse mesh.
std::vector<int> histogramColumns();
/// Indices of the columns with numbers, in the order of the table.
std::vector<int> numberColumns();

/// A sample as the table names it: "airplane · p0001".
QString sampleTitle(const SampleRecord& record);

/// Name of a sample without category and view: "p0001". If the category is empty, or the name does
/// not begin with it: the whole name, or the sample's entry in the list if the name is empty.
std::string shortSampleName(const SampleRecord& record);

/// Whether columns with needsSurface() have numbers: the truth of at least one sample has faces.
bool anyHasDistances(const std::vector<SampleRecord>& records);

/// Means over the samples that are done, and the numbers of done and of failed samples.
struct BatchMeans {
    std::size_t count = 0;
    std::size_t failed = 0;

    void add(const SampleRecord& record, std::size_t protocol);
    /// Mean over the samples with a number in the column; nullopt: there are no such samples.
    std::optional<double> mean(int column) const;

  private:
    struct Sum {
        double sum = 0;
        std::size_t count = 0;
    };
    std::vector<Sum> sums_ = std::vector<Sum>(batchColumns().size());
};

/// CSV with a heading line and one line per record, in the given order. Fields are quoted by RFC
/// 4180, but lines end in "\n"; numbers have nine significant digits and decimal points. `fit`:
/// fitRequestName() of the run, whose fit columns come last; empty: no fit.
QString batchCsv(const std::vector<SampleRecord>& records,
                 Protocol measuredBy = Protocol::published, std::size_t protocol = 0,
                 const std::string& fit = {});

}  // namespace threefold::ui
