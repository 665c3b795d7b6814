#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/options/open_network.h"

namespace threefold {

/// A report that begins with release, backend, precision, model and device; on a GPU also with the
/// driver and NVIDIA's libraries.
BenchReport reportOn(const OpenedNetwork& opened, std::string rowsKey);

/// JSON entry of a GPU in a benchmark's report.
nlohmann::ordered_json gpuJson(const GpuDescription& gpu);
/// Line with a GPU's driver and NVIDIA's libraries.
std::string gpuText(const GpuDescription& gpu);

}  // namespace threefold
