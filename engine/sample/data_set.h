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

/// Sample of a data set, located by its folder alone, not yet opened.
struct DataSetSample {
    std::string category;  ///< "02691156"; empty outside ShapeNet's layout
    std::string id;        ///< "p0001", or the folder's name
    std::filesystem::path folder;
    bool hasTruth = false;  ///< whether findSample() would find a truth file by its name
};

/// Name of a data set's folder in ShapeNet's layout.
inline constexpr const char* kDataSetFolder = "ShapeNetRendering";
/// File with the names of the images in a sample's rendering folder.
inline constexpr const char* kRenderingListName = "renderings.txt";

/// Calls `visit` for every sample under a data set's root (the ShapeNetRendering folder, its
/// parent, or a category's folder), sorted by category, then id. Skips unreadable folders. Returns
/// early once `stop` is requested. Thread-safe.
void walkDataSet(const std::filesystem::path& root, const std::stop_token& stop,
                 const std::function<void(DataSetSample)>& visit);

/// True if walkDataSet() would find a sample other than `folder` itself: distinguishes a data set
/// from a sample. Stops at the first sample. Thread-safe.
bool isDataSet(const std::filesystem::path& folder);

/// First image of a sample by name; empty if there is none. Thread-safe.
std::filesystem::path firstRendering(const std::filesystem::path& sampleFolder);

/// ShapeNet's name of a category: "airplane" for "02691156". Empty except for the 13 published
/// categories.
std::string categoryName(const std::string& category);

/// True for a text file that may list samples: any .txt except files of a sample itself.
bool isTestList(const std::filesystem::path& path);

/// Sample named by a list.
struct ListedName {
    std::string name;      ///< "02691156_p0001_00.dat", or any location that findSample() takes
    std::size_t line = 0;  ///< line of the list, from 1
};

/// Maximum size of a list, in bytes; published lists have 35 010 lines in 1 MB.
inline constexpr std::uintmax_t kMaxListBytes = std::uintmax_t{64} << 20;

/// Shortens a line of more than 200 bytes, for messages: its beginning, an ellipsis and its length.
/// Never splits a UTF-8 character.
std::string shortened(std::string_view line);

/// Reads the names of a test list: trimmed lines, except empty ones and those that start with '#'.
/// Throws IoError (unreadable, or larger than kMaxListBytes), FormatError (a control byte in a
/// name, or a line longer than any path: no text, or damaged).
std::vector<ListedName> readTestList(const std::filesystem::path& path);
/// Parses a test list in memory as readTestList() does; errors name `subject`.
std::vector<ListedName> parseTestList(std::string_view text, const std::filesystem::path& subject);

/// Images of a rendering folder, matched to the rows of its metadata.
struct ViewFiles {
    std::vector<std::filesystem::path> images;  ///< one for each row; empty if the image is missing
    bool numbered = false;                      ///< ShapeNet's naming: image NN belongs to row NN
};

/// The folder's picturesIn() without a renderer's other outputs. Throws IoError.
std::vector<std::filesystem::path> imagesIn(const std::filesystem::path& folder);

/// Images of a folder, or if it has none, of its subfolder `images`, as in projects of COLMAP and
/// nerfstudio. Throws as imagesIn().
std::vector<std::filesystem::path> listPhotographs(const std::filesystem::path& folder);

/// File with the camera rows of a folder: kMetadataName, or kPlainMetadataName if the folder has no
/// camera file (COLMAP's file of that name needs images.txt); empty if neither exists.
std::filesystem::path metadataFileIn(const std::filesystem::path& folder);

/// Folder with the metadata: `folder` itself or its subfolder "rendering"; empty if neither has
/// any.
std::filesystem::path renderingFolderIn(const std::filesystem::path& folder);

/// File name of a sample's camera rows.
inline constexpr const char* kMetadataName = "rendering_metadata.txt";
/// File name of camera rows in the method's own demo.
inline constexpr const char* kPlainMetadataName = "cameras.txt";
/// Folder name of a sample's images in ShapeNet's layout.
inline constexpr const char* kRenderingFolder = "rendering";

/// Matches the images of a folder to its camera rows. Throws InputError (an image without a row, a
/// row without an image unless numbered, two images for one row), IoError (the folder cannot be
/// listed).
ViewFiles matchViewFiles(const std::filesystem::path& folder, std::size_t rows);

}  // namespace threefold
