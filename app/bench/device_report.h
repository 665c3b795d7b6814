#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "app/bench/bench.h"
#include "app/options/open_network.h"

namespace threefold {

/// A report that begins with release, backend, precision, model and device; on a GPU also with the
/// driver and NVIDIA's libraries.
BenchReport reportOn(const OpenedNetwork& opened, std::string rowsKey);

/// A GPU's entry of a benchmark's JSON; a line with its driver and NVIDIA's libraries.
nlohmann::ordered_json gpuJson(const GpuDescription& gpu);
std::string gpuText(const GpuDescription& gpu);

}  // namespace threefold
