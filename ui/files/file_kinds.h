#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <QString>

#include "engine/sample/sample.h"

class QMimeData;

namespace threefold::ui {

/// What a file is by its name; nothing is read.
enum class FileKind {
    sample,  ///< a folder, or anything else: findSample() decides
    image,
    truth,  ///< a pickle of points (.dat)
    mesh,   ///< a mesh or a cloud of points that readMesh() reads
    session,
    list,   ///< of samples to evaluate, one a line
    model,  ///< weights of a network
};
FileKind fileKind(const std::filesystem::path& file);

/// "*.obj *.ply …": all that readMesh() reads, for the filters of file dialogs.
QString meshFilePatterns();
/// "*.png …": all photographs.
QString imageFilePatterns();

/// How files are opened.
enum class OpenAs {
    automatic,   ///< samples are opened, meshes compared, a pickle is the shown sample's truth
    comparison,  ///< beside the result
    truth,       ///< in place of the sample's
};

/// The local files of a drag; empty where there are none.
std::vector<std::filesystem::path> filesOf(const QMimeData& data);

/// What dropping these files does, as text: "Drop to compare". Empty: nothing.
QString dropMeaning(const std::vector<std::filesystem::path>& files, OpenAs how, bool hasResult);

/// Default name for files of this sample: category if there is one, item and views,
/// "airplane_p0001_0-6-7".
std::string suggestedName(const Sample& sample, std::span<const int> views);

}  // namespace threefold::ui
