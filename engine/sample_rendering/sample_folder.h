#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_bytes.h"

namespace threefold {

/// A new sample, written into a hidden and locked folder of the data set's root, then renamed to
/// its final path. Deletes what is left at the end of the scope.
class SampleFolder {
  public:
    /// Throws IoError.
    explicit SampleFolder(const std::filesystem::path& root);
    ~SampleFolder();
    SampleFolder(SampleFolder&& other) noexcept;

    /// Writes a file that will be in the item's folder at `name`. Any thread. Throws IoError.
    void write(const std::filesystem::path& name, std::span<const std::byte> bytes) const;
    void write(const std::filesystem::path& name, std::string_view text) const {
        write(name, asBytes(text));
    }

    /// Writes one of the truth's files, published as `truth` + `extension`. Throws IoError.
    void writeTruth(std::string_view extension, std::string_view bytes) const;

    /// Moves a written file to `target`. Throws IoError.
    void publishFile(const std::filesystem::path& name, const std::filesystem::path& target) const;

    /// Renames the truth's files to `truth` + their extensions and, last, the item's folder to
    /// `target`, making parent folders. `replace` deletes existing ones. Throws IoError after
    /// undoing all renames.
    void publish(const std::filesystem::path& target, const std::filesystem::path& truth,
                 bool replace);

  private:
    std::filesystem::path path_;
    FileDescriptor lock_;
};

/// writeFileWhole() for a file of a data set: what a killed process leaves is in a folder that
/// removeLeftFolders() deletes. Throws IoError.
void writeFileOfDataSet(const std::filesystem::path& file, std::string_view text);

/// Waits until the file system of `folder` is written to its disk. Throws IoError.
void flushDisk(const std::filesystem::path& folder);

/// Deletes the folders that killed processes left in `root`, never one in use.
void removeLeftFolders(const std::filesystem::path& root);

/// Whether an item belongs to the test part: the SHA-256 of its name alone decides, so that it
/// stays where it is however a data set grows. `share`: 0…1 of all items.
bool isTestItem(std::string_view item, double share);

struct ListCounts {
    std::size_t all = 0;
    std::size_t train = 0;
    std::size_t test = 0;
};

/// Writes `list.txt`, `train.txt` and `test.txt` (`{category}_{item}_00.dat` a line) over all
/// samples below `root` that have their ground truth, whichever run made them. Throws IoError.
ListCounts writeListFiles(const std::filesystem::path& root, double testShare);

/// A mesh, and where it belongs in a data set.
struct ItemMesh {
    std::filesystem::path file;
    std::string category;  ///< without '_', as list names end it at the first one; never empty
    std::string item;      ///< never empty
};

/// A mesh's names: item from the file's name, category from its folder's or `category`. ShapeNet's
/// `{category}/{item}/model.obj` and `{category}/{item}/models/model_normalized.obj` keep theirs.
/// Characters that list names cannot hold become '-'.
ItemMesh nameMesh(const std::filesystem::path& file, const std::string& category = {});

/// All meshes of formats with faces below a folder, sorted by category, then item. Follows links
/// except those that lead back; skips hidden files, what cannot be listed, and the folder `except`.
/// Throws InputError where there is none.
std::vector<ItemMesh> findMeshes(const std::filesystem::path& folder,
                                 const std::string& category = {},
                                 const std::filesystem::path& except = {});

}  // namespace threefold
