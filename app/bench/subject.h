#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/bench/bench.h"
#include "app/options/open_backend.h"
#include "engine/sample/sample.h"

namespace threefold {

/// The named sample; the first bundled one where the name is empty. Throws InputError, IoError.
Sample chosenSample(const std::string& name);

/// A benchmark's option --samples.
void addSamplesOption(CLI::App& command, std::filesystem::path& folder);
/// The samples of that folder, of the bundled ones where it is empty. Throws InputError where there
/// is none, and what listSamples() throws.
std::vector<std::filesystem::path> benchSamples(const std::filesystem::path& folder);

/// The first entries of a benchmark's JSON: release, backend, precision, model, device and driver.
nlohmann::ordered_json subjectJson(const OpenedBackend& opened);

/// The backend's description; on a GPU also a line with the driver and NVIDIA's libraries.
std::string subjectText(const OpenedBackend& opened);

/// A GPU's entry of a benchmark's JSON; a line with its driver and NVIDIA's libraries.
nlohmann::ordered_json gpuJson(const GpuDescription& gpu);
std::string gpuText(const GpuDescription& gpu);

/// The fastest that the device was measured to be; empty on the processor. Throws DeviceError.
std::optional<GpuCeilings> measureCeilings(const OpenedBackend& opened, const ModelOptions& options,
                                           Precision precision);

/// Appends the columns "TFLOP/s" and "GB/s", each followed by its share of the ceiling. A rate of 0
/// leaves its cells empty.
void addRates(BenchRow& row, double teraflops, double gigabytesPerSecond,
              const GpuCeilings& ceilings, int digits);

/// Appends "ceilings" to a benchmark's JSON, where there are any.
void addCeilings(nlohmann::ordered_json& json, const std::optional<GpuCeilings>& ceilings);

/// "70 %"
std::string shareText(double share);

/// Rates in 10^12 operations and 10^9 bytes a second; 0 where no time was measured.
double teraflops(double flop, double milliseconds);
double gigabytesPerSecond(double bytes, double milliseconds);

}  // namespace threefold
