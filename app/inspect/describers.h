#pragma once

#include <filesystem>

#include "app/inspect/description.h"

namespace threefold {

struct InspectOptions {
    bool ranges = true;  ///< also look at every value
};

/// Asks each describer in turn whether the file is its own. Throws IoError, FormatError (it is, but
/// damaged), NotThisFormat (it is nobody's).
Description describeFile(const std::filesystem::path& file, const InspectOptions& options);

/// A folder with images and cameras. Throws what findSample and readGroundTruth throw.
Description describeSample(const std::filesystem::path& folder, const InspectOptions& options);

// One for each format. Throw NotThisFormat where the file is another's.
Description describeMetadata(const std::filesystem::path& file, const InspectOptions& options);
Description describeMesh(const std::filesystem::path& file, const InspectOptions& options);
Description describeImage(const std::filesystem::path& file, const InspectOptions& options);
Description describeSafetensors(const std::filesystem::path& file, const InspectOptions& options);
Description describeNpz(const std::filesystem::path& file, const InspectOptions& options);
Description describeNpy(const std::filesystem::path& file, const InspectOptions& options);
Description describePickle(const std::filesystem::path& file, const InspectOptions& options);

}  // namespace threefold
