#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "engine/metrics/scores.h"

namespace threefold::ui {

/// The meshes of an item under one protocol (METHOD.md §9).
struct BatchScores {
    double chamferCoarse = 0;  ///< object units²
    double chamferRefined = 0;
    double fCoarse = 0;  ///< F(τ) in percent
    double fRefined = 0;
    double fTwoTau = 0;                        ///< F(2τ) of the refined mesh, in percent
    std::optional<double> chamferFitted = {};  ///< none: not fitted
    std::optional<double> fFitted = {};

    double difference() const { return fRefined - fCoarse; }  ///< of F(τ), in points
    std::optional<double> differenceOfFit() const {
        return fFitted ? std::optional(*fFitted - fRefined) : std::nullopt;
    }
};

/// One finished item of a batch.
struct BatchRow {
    std::size_t position = 0;         ///< in the list, from 0
    std::string category;             ///< "02691156"; empty outside ShapeNet's layout
    std::string item;                 ///< "p0001"
    std::string given;                ///< the line of the list
    QString problem;                  ///< why it failed; empty if it did not
    std::vector<BatchScores> scores;  ///< one for each protocol of the run, in its order
    /// Intersection over union of the silhouettes of mesh and photograph, 0…1, mean of the views.
    /// None if no photograph has a foreground.
    std::optional<double> overlapCoarse;
    std::optional<double> overlapRefined;
    double milliseconds = 0;  ///< of the network
    std::optional<double> overlapFitted = {};
    std::optional<double> fitMilliseconds = {};
    QString fitNote = {};  ///< what the fit left out and why, or why there is none

    bool failed() const { return !problem.isEmpty(); }
};

/// The columns of the table, in order.
enum class BatchColumn {
    item,
    category,
    chamferCoarse,
    chamferRefined,
    fCoarse,
    fRefined,
    fTwoTau,
    difference,
    overlapCoarse,
    overlapRefined,
    milliseconds,
    problem,
    // Of a run with a fit alone.
    chamferFitted,
    fFitted,
    differenceOfFit,
    overlapFitted,
    fitMilliseconds,
};
inline constexpr int kBatchColumns = 17;
inline constexpr BatchColumn kFirstFitColumn = BatchColumn::chamferFitted;

/// Whether rows have numbers there, not texts.
bool isNumber(BatchColumn column);
/// Whether the number is one mesh's minus another's: below zero is worse.
bool isDifference(BatchColumn column);
/// Of a column of a later mesh: that of the mesh before.
struct ColumnBefore {
    BatchColumn column;
    double better;  ///< the sign of a change for the better
};
std::optional<ColumnBefore> columnBefore(BatchColumn column);
/// Whether a stage made it worse, on the digits that the column shows.
bool isWorse(BatchColumn column, double value, std::optional<double> before);
/// The number that a column sorts and averages by, under the run's protocol of that number; nothing
/// for texts and failed items. Chamfer distances ×10⁴.
std::optional<double> batchValue(const BatchRow& row, BatchColumn column, std::size_t protocol = 0);
QString batchColumnTitle(BatchColumn column);
QString batchColumnTooltip(BatchColumn column);
int batchColumnDecimals(BatchColumn column);

/// What a protocol compares, as the start of a sentence.
QString protocolMeaning(Protocol protocol);

/// Means over the items that have measures.
struct BatchMeans {
    std::string category;  ///< empty: over all categories
    std::size_t count = 0;
    std::size_t failed = 0;

    void add(const BatchRow& row, std::size_t protocol);
    /// Over those that have a number there.
    std::optional<double> mean(BatchColumn column) const;

  private:
    std::array<double, kBatchColumns> sums_ = {};
    std::array<std::size_t, kBatchColumns> counts_ = {};
};

/// RFC 4180, one line a row in the given order, a heading line; full precision, decimal points.
/// `fit`: fitViewsName() of the run; the columns of its fit come last. Empty: there are none.
QString batchCsv(const std::vector<BatchRow>& rows, Protocol measuredBy = Protocol::published,
                 std::size_t protocol = 0, const std::string& fit = {});

}  // namespace threefold::ui
