#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/file_descriptor.h"

namespace threefold {

/// New sample: written into a hidden, locked folder of the data set's root, then renamed to its
/// final path. Deletes the hidden folder at the end of the scope.
class SampleFolder {
  public:
    /// Throws IoError.
    explicit SampleFolder(const std::filesystem::path& root);
    ~SampleFolder();
    SampleFolder(SampleFolder&& other) noexcept;

    /// Writes a file at `name` in the sample's folder, from any thread. Throws IoError.
    void write(const std::filesystem::path& name, std::span<const std::byte> bytes) const;
    void write(const std::filesystem::path& name, std::string_view text) const {
        write(name, asBytes(text));
    }

    /// Writes a truth file, published as `truth` + `extension`. Throws IoError.
    void writeTruth(std::string_view extension, std::string_view bytes) const;

    /// Moves a written file to `target`. Throws IoError.
    void publishFile(const std::filesystem::path& name, const std::filesystem::path& target) const;

    /// Renames the truth files to `truth` + extension and, last, the sample's folder to `target`,
    /// creating parent folders. `replace` deletes existing files and folders. Throws IoError after
    /// undoing all renames.
    void publish(const std::filesystem::path& target, const std::filesystem::path& truth,
                 bool replace);

  private:
    SampleFolder() = default;

    std::filesystem::path path_;
    FileDescriptor lock_;
};

/// Writes a file of a data set as a whole. Unlike with writeFileAtomically(), a killed process
/// leaves only a folder for removeStaleFolders(). Throws IoError.
void writeFileOfDataSet(const std::filesystem::path& file, std::string_view text);

/// Flushes the file system of `folder` to disk. Throws IoError.
void flushDisk(const std::filesystem::path& folder);

/// Deletes folders that killed processes left in `root`, never one in use.
void removeStaleFolders(const std::filesystem::path& root);

/// Whether a sample belongs to the test split. Decided by the SHA-256 of its id alone, so that
/// growing a data set moves no sample. `fraction`: test fraction of all samples, 0…1.
bool isInTestSplit(std::string_view id, double fraction);

struct ListCounts {
    std::size_t all = 0;
    std::size_t train = 0;
    std::size_t test = 0;
};

/// Writes `list.txt`, `train.txt` and `test.txt` (`{category}_{id}_00.dat` a line) for all
/// samples below `root` that have ground truth, from any run. Throws IoError.
ListCounts writeListFiles(const std::filesystem::path& root, double testFraction);

/// Mesh file that a sample is rendered from, and its names in a data set.
struct SourceMesh {
    std::filesystem::path file;
    std::string category;  ///< without '_', which ends the category in list names; never empty
    std::string id;        ///< never empty
};

/// Names a mesh: id from the file name, category from the folder name or `category`. ShapeNet's
/// `{category}/{id}/model.obj` and `{category}/{id}/models/model_normalized.obj` keep their
/// names. Characters that list names cannot hold become '-'.
SourceMesh nameMesh(const std::filesystem::path& file, const std::string& category = {});

/// Finds all meshes below a folder, of formats with faces, sorted by category, then id. Follows
/// links except to a parent folder; skips hidden files, unreadable folders, and the folder
/// `except`. Throws InputError if there is no mesh.
std::vector<SourceMesh> findMeshes(const std::filesystem::path& folder,
                                   const std::string& category = {},
                                   const std::filesystem::path& except = {});

}  // namespace threefold
