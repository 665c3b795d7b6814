#pragma once

#include <filesystem>

#include "app/describe/description.h"

namespace threefold {

/// Whether every value of an array is looked at, not only its name, type and shape.
enum class Ranges {
    small,  ///< where all arrays of the file together have at most kSmallContent bytes
    none,
    all,
};
/// What can be looked at in a fraction of a second.
inline constexpr std::size_t kSmallContent = std::size_t{32} << 20;

struct InspectOptions {
    Ranges ranges = Ranges::small;
};

/// Asks each describer in turn whether the file is its own. Throws IoError, FormatError (it is, but
/// damaged), NotThisFormat (it is nobody's).
/// A TensorFlow checkpoint goes by the names that findTensorBundle takes.
Description describeFile(const std::filesystem::path& file, const InspectOptions& options);

/// A folder with images and cameras. Throws what findSample and readGroundTruth throw.
Description describeSample(const std::filesystem::path& folder, const InspectOptions& options);

/// True where ranges of `bytes` of values are wanted; else `description` says that they are not
/// shown, if that was not asked for.
bool wantsRanges(const InspectOptions& options, std::size_t bytes, Description& description);

// One for each format. Throw NotThisFormat where the file is another's.
Description describeMetadata(const std::filesystem::path& file, const InspectOptions& options);
/// transforms.json, cameras.json, COLMAP's cameras.txt and images.txt.
Description describeCameras(const std::filesystem::path& file, const InspectOptions& options);
Description describeMesh(const std::filesystem::path& file, const InspectOptions& options);
Description describeImage(const std::filesystem::path& file, const InspectOptions& options);
Description describeSafetensors(const std::filesystem::path& file, const InspectOptions& options);
Description describeNpz(const std::filesystem::path& file, const InspectOptions& options);
Description describeNpy(const std::filesystem::path& file, const InspectOptions& options);
Description describeTensorBundle(const std::filesystem::path& file, const InspectOptions& options);
Description describeTorch(const std::filesystem::path& file, const InspectOptions& options);
Description describeTestList(const std::filesystem::path& file, const InspectOptions& options);
Description describePickle(const std::filesystem::path& file, const InspectOptions& options);

}  // namespace threefold
