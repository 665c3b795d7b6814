#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <QString>

namespace threefold::ui {

/// One finished item of a batch. Measures by the published protocol (METHOD.md §9), τ = 1e-4.
struct BatchRow {
    std::string category;  ///< "02691156"; empty outside ShapeNet's layout
    std::string item;
    std::string location;      ///< what findSample() took
    QString problem;           ///< why there are no measures; empty where there are
    double chamferCoarse = 0;  ///< object units²
    double chamferRefined = 0;
    double fCoarse = 0;  ///< F(τ) in percent
    double fRefined = 0;
    double fTwoTau = 0;       ///< F(2τ) of the refined mesh, in percent
    double milliseconds = 0;  ///< of the network

    bool failed() const { return !problem.isEmpty(); }
    double difference() const { return fRefined - fCoarse; }  ///< of F(τ), in points
};

/// What the columns of a batch's table hold, in their order.
enum class BatchColumn {
    item,
    category,
    chamferCoarse,
    chamferRefined,
    fCoarse,
    fRefined,
    fTwoTau,
    difference,
    milliseconds,
    problem,
};
inline constexpr int kBatchColumns = 10;

/// The number that a column sorts and averages by; nothing for texts and failed items. Chamfer
/// distances ×10⁴.
std::optional<double> batchValue(const BatchRow& row, BatchColumn column);
QString batchColumnTitle(BatchColumn column);
QString batchColumnTooltip(BatchColumn column);
int batchColumnDecimals(BatchColumn column);

/// Means over the items that have measures.
struct BatchMeans {
    std::string category;  ///< empty: over all categories
    std::size_t count = 0;
    std::size_t failed = 0;
    double sums[kBatchColumns] = {};

    void add(const BatchRow& row);
    std::optional<double> mean(BatchColumn column) const;
};

/// RFC 4180, one line a row in the given order, a heading line; full precision, decimal points.
QString batchCsv(const std::vector<BatchRow>& rows);

}  // namespace threefold::ui
