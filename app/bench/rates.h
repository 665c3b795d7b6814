#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "engine/network/gpu_measurements.h"
#include "engine/network/precision.h"

namespace threefold {

/// Measures the device's peak rates; nullopt on the processor. Throws DeviceError.
std::optional<GpuPeakRates> measurePeakRates(const OpenedNetwork& opened,
                                             const ModelOptions& options, Precision precision);

/// Appends the cells "TFLOP/s" and "GB/s", each followed by the rate's fraction of the peak rate.
/// The cells of a rate of 0 are empty.
void addRates(BenchRow& row, double teraflops, double gigabytesPerSecond,
              const GpuPeakRates& peakRates, int digits);

/// Appends peak rates to a benchmark's JSON, as "ceilings", if the rates are known.
void addPeakRates(nlohmann::ordered_json& json, const std::optional<GpuPeakRates>& peakRates);

/// Writes a fraction as a percentage: "70 %" for 0.7.
std::string percentText(double fraction);

/// Rates in 10^12 operations and 10^9 bytes a second; 0 where no time was measured.
double teraflops(double flop, double milliseconds);
double gigabytesPerSecond(double bytes, double milliseconds);

}  // namespace threefold
