#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "app/options/open_backend.h"
#include "engine/sample/sample.h"

namespace threefold {

/// The sample named, else the first that is bundled. Throws InputError, IoError.
Sample chosenSample(const std::string& name);

/// What every benchmark's JSON begins with: release, backend, precision, model, device and driver.
nlohmann::ordered_json subjectJson(const OpenedBackend& opened);

/// The backend's line, and below it the driver and NVIDIA's libraries where a GPU computes.
std::string subjectText(const OpenedBackend& opened);

/// What the device reaches at its best; nothing on the processor. Throws DeviceError.
std::optional<GpuCeilings> measureCeilings(const OpenedBackend& opened, const ModelOptions& options,
                                           Precision precision);

/// "70 %" of a ceiling.
std::string shareText(double share);

}  // namespace threefold
