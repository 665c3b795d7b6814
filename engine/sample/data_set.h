#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace threefold {

/// Sample of a data set, located by its folder alone, not yet opened.
struct DataSetSample {
    std::string category;  ///< "02691156"; empty outside ShapeNet's layout
    std::string id;        ///< "p0001", or the folder's name
    std::filesystem::path folder;
    bool hasTruth = false;  ///< whether findSample() would find a truth file by its name
};

/// Name of a data set's folder in ShapeNet's layout.
inline constexpr const char* kShapeNetRenderingFolder = "ShapeNetRendering";

/// Calls `visit` for every sample under a data set's root (the ShapeNetRendering folder, its
/// parent, or a category's folder), sorted by category, then id. Skips unreadable folders. Returns
/// early once `stopEarly` is requested. Thread-safe.
void walkDataSet(const std::filesystem::path& root, const std::stop_token& stopEarly,
                 const std::function<void(DataSetSample)>& visit);

/// True if walkDataSet() would find a sample other than `folder` itself: distinguishes a data set
/// from a sample. Stops at the first sample. Thread-safe.
bool isDataSet(const std::filesystem::path& folder);

/// First image of a sample by name; empty if there is none. Thread-safe.
std::filesystem::path firstImageOf(const std::filesystem::path& sampleFolder);

/// ShapeNet's name of a category: "airplane" for "02691156". Empty except for the 13 published
/// categories.
std::string categoryName(const std::string& category);

}  // namespace threefold
