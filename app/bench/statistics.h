#pragma once

#include <vector>

namespace threefold {

/// The value below which `share` (0…1) of the values lie, interpolated between neighbours.
/// `values` must not be empty.
double quantile(std::vector<double> values, double share);

double median(const std::vector<double>& values);
double percentile95(const std::vector<double>& values);

}  // namespace threefold
