#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

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

/// "airplane" for "02691156": ShapeNet's names of the 13 published categories; else empty.
std::string categoryName(const std::string& category);

/// True for a text file that may name samples: any .txt but those that belong to a sample itself.
bool isTestList(const std::filesystem::path& path);

/// A sample that a list names.
struct ListedName {
    std::string name;      ///< "02691156_p0001_00.dat", or any location that findSample() takes
    std::size_t line = 0;  ///< of the list, from 1
};

/// Largest list that is read; published ones have 35 010 lines, in 1 MB.
inline constexpr std::uintmax_t kLargestList = std::uintmax_t{64} << 20;

/// The line, or its beginning with an ellipsis and its length where it has more than 200 bytes: for
/// what is cited. Cuts no character of UTF-8 in two.
std::string shortened(std::string_view line);

/// The lines of a test list without blanks around them, empty ones and those that start with '#'.
/// Throws IoError (larger than kLargestList), FormatError (a control byte in a name, or a line
/// longer than any path: not a text, or damaged).
std::vector<ListedName> readTestList(const std::filesystem::path& path);
/// The same for a text in memory; errors name it `subject`.
std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject);

/// The images of a rendering folder, matched to the rows of its metadata.
struct ViewFiles {
    std::vector<std::filesystem::path> images;  ///< one for each row; empty where it is missing
    bool numbered = false;                      ///< ShapeNet's naming: image NN belongs to row NN
};

/// True for .png, .jpg, .jpeg and .webp in any case, but for hidden files.
bool isImageName(const std::filesystem::path& file);

/// The folder's pictures but for masks, by name. Throws IoError.
std::vector<std::filesystem::path> imagesIn(const std::filesystem::path& folder);

/// The same, or where the folder has none those of its folder `images`, as COLMAP's and
/// nerfstudio's projects have them. Throws likewise.
std::vector<std::filesystem::path> photographsOf(const std::filesystem::path& folder);

/// The file with the rows of a folder's cameras: kMetadataName, or kPlainMetadataName where no
/// other cameras are there (COLMAP's file of that name needs its images.txt); empty where neither.
std::filesystem::path metadataFileIn(const std::filesystem::path& folder);

/// The folder with the metadata: `folder` itself or "rendering" in it; empty where neither.
std::filesystem::path renderingFolderIn(const std::filesystem::path& folder);

/// The name of the file with an item's cameras.
inline constexpr const char* kMetadataName = "rendering_metadata.txt";
/// The same rows beside the pictures of the method's own demo.
inline constexpr const char* kPlainMetadataName = "cameras.txt";
/// The folder of an item's images in ShapeNet's layout.
inline constexpr const char* kRenderingName = "rendering";

/// Throws InputError: an image without a row, a row without an image (unless numbered), two images
/// for one row; IoError where the folder cannot be listed.
ViewFiles matchViewFiles(const std::filesystem::path& folder, std::size_t rows);

}  // namespace threefold
