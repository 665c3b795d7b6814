#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace threefold {

/// An item of a data set as a list shows it: found by its folder alone, not yet opened.
struct DataSetItem {
    std::string category;  ///< "02691156"; empty outside ShapeNet's layout
    std::string item;
    std::filesystem::path folder;
    bool hasTruth = false;  ///< a truth file of its name lies where findSample() looks
};

/// The folder of a data set in ShapeNet's layout.
inline constexpr const char* kDataSetName = "ShapeNetRendering";

/// Calls `take` for every item under a data set's root (the ShapeNetRendering folder, the one that
/// holds it, or a category's), sorted by category, then item. Skips what cannot be read.
/// Returns early once `stop` is requested. Any thread.
void walkDataSet(const std::filesystem::path& root, const std::stop_token& stop,
                 const std::function<void(DataSetItem)>& take);

/// True if walkDataSet() would find an item other than `folder` itself: tells a dropped data set
/// from a sample. Reads as little as possible. Any thread.
bool isDataSet(const std::filesystem::path& folder);

/// The item's first image by name; empty where it has none. Any thread.
std::filesystem::path firstRendering(const std::filesystem::path& itemFolder);

/// ShapeNet's name of one of the 13 published categories ("airplane" for "02691156"); empty for
/// any other.
std::string categoryName(const std::string& category);

}  // namespace threefold
