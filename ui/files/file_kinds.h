#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <QString>

class QMimeData;

namespace threefold::ui {

/// Kind of a file by its name; nothing is read.
enum class FileKind {
    sample,  ///< a folder or anything else; findSample() decides
    image,
    truth,  ///< a pickle of points (.dat)
    mesh,   ///< a mesh or point cloud that readMesh() reads
    session,
    list,   ///< samples to evaluate, one a line
    model,  ///< weights of a network
};
FileKind fileKind(const std::filesystem::path& file);

/// "*.obj *.ply …": patterns of all meshes that readMesh() reads, for file dialogs.
QString meshFilePatterns();
/// "*.png …": patterns of all photographs.
QString imageFilePatterns();

/// Role in which files are opened.
enum class FileRole {
    byKind,  ///< a mesh beside the result; a pickle is the truth of the shown sample
    truth,   ///< replaces the sample's truth
};

/// Local files of a drag; empty: none.
std::vector<std::filesystem::path> filesOf(const QMimeData& data);

/// Effect of dropping these files, as text: "Drop to compare". Empty: nothing happens.
QString dropHint(const std::vector<std::filesystem::path>& files, FileRole role, bool hasResult);

}  // namespace threefold::ui
