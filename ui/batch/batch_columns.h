#pragma once

#include <array>
#include <string_view>

#include <QString>

#include "engine/evaluation/record.h"
#include "engine/metrics/measure_table.h"

namespace threefold::ui {

/// The meshes that a list measures, each compared with the one before it: kPublishedMeshes, then
/// kFittedMesh.
inline constexpr std::array<std::string_view, 3> kBatchMeshes{kPublishedMeshes[0],
                                                              kPublishedMeshes[1], kFittedMesh};

/// One column of the dock's table. measure_table lists the measures that have columns.
struct BatchColumn {
    enum class Kind {
        item,
        category,
        truth,       ///< a measure against the truth
        difference,  ///< of two meshes in such a measure: below zero is worse
        silhouette,
        time,
    };
    Kind kind;
    std::string name;                                 ///< in CSV: "chamfer_coarse"
    std::string_view mesh = kPublishedMeshes.back();  ///< one of kBatchMeshes
    const Measure* measure = nullptr;                 ///< null: not a measure's
    int before = -1;                                  ///< the previous mesh's column; −1: none

    bool isNumber() const { return kind >= Kind::truth; }
    bool isDifference() const { return kind == Kind::difference; }
    bool ofFit() const { return mesh == kFittedMesh; }  ///< of a run with a fit alone
    QString title() const;
    QString tooltip() const;
    int decimals() const { return measure != nullptr ? decimalsOf(measure->unit) : 1; }
    /// The end of a scale that begins at 0; none: set by the values.
    std::optional<double> highest() const;
    /// The shown number, which is sorted and averaged by, under the run's protocol of that index;
    /// none for texts and failed items.
    std::optional<double> value(const SampleRecord& record, std::size_t protocol = 0) const;
    /// The same without the factor for showing it.
    std::optional<double> rawValue(const SampleRecord& record, std::size_t protocol) const;
    /// Whether it is worse than `other`, the value of the mesh before, in the shown digits.
    bool isWorse(double value, std::optional<double> other) const;
};

/// In the order of the table, those of a fit last.
const std::vector<BatchColumn>& batchColumns();
const BatchColumn& columnAt(int place);
/// The place of the column with that name, which must exist.
int placeOfColumn(std::string_view name);
/// Of the columns with numbers, in the order in which a histogram is chosen: later meshes first.
std::vector<int> histogramColumns();
/// Likewise in the order of the table.
std::vector<int> numberColumns();

/// "p0001", or else the name that the list gives.
std::string itemOf(const SampleRecord& record);

/// What a protocol compares, as the start of a sentence.
QString protocolMeaning(Protocol protocol);

/// Means over the items that have measures.
struct BatchMeans {
    std::size_t count = 0;
    std::size_t failed = 0;

    void add(const SampleRecord& record, std::size_t protocol);
    /// Over those that have a number there.
    std::optional<double> mean(int column) const;

  private:
    struct Sum {
        double sum = 0;
        std::size_t count = 0;
    };
    std::vector<Sum> sums_ = std::vector<Sum>(batchColumns().size());
};

/// RFC 4180, one line a record in the given order, a heading line; full precision, decimal points.
/// `fit`: fitRequestName() of the run; the columns of its fit come last. Empty: there are none.
QString batchCsv(const std::vector<SampleRecord>& records,
                 Protocol measuredBy = Protocol::published, std::size_t protocol = 0,
                 const std::string& fit = {});

}  // namespace threefold::ui
