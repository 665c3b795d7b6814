#include "engine/evaluation/run/mesh_result_files.h"

#include <algorithm>
#include <cstddef>
#include <system_error>

#include "engine/error.h"
#include "engine/formats/bytes/byte_cursor.h"
#include "engine/formats/bytes/sha256.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/files/write_file.h"
#include "engine/formats/meshes/mesh_writing.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Whether a file exists with the content that a run wrote.
bool isAsWritten(const fs::path& file, const WrittenFile& written) {
    std::error_code error;
    if (!isFile(file) || fs::file_size(file, error) != written.bytes || error) return false;
    try {
        return sha256(readFile(file)) == written.hash;
    } catch (const IoError&) {
        return false;
    }
}

/// Size and hash of a record's mesh file, by its index in meshFilesOf(); null if not written.
const WrittenFile* writtenMesh(const SampleRecord& record, std::size_t index) {
    return record.meshes && index < record.meshes->size() ? &(*record.meshes)[index] : nullptr;
}

}  // namespace

std::vector<fs::path> possibleMeshFiles(const fs::path& folder, const std::string& name) {
    return {folder / (name + kPredictionSuffix + ".obj"),
            folder / (name + kPredictionSuffix + ".xyz"), folder / (name + kFittedSuffix + ".obj")};
}

std::vector<fs::path> meshFilesOf(const fs::path& folder, const SampleRecord& record) {
    std::vector<fs::path> files = possibleMeshFiles(folder, record.name);
    const bool isFitted =
        std::ranges::any_of(record.scores,
                            [](const auto& scores) { return scores.fitted() != nullptr; }) ||
        meansOf(record.silhouettes, kFittedMesh);
    if (!isFitted) files.pop_back();
    return files;
}

bool hasUnchangedMeshFiles(const fs::path& folder, const SampleRecord& record) {
    const std::vector<fs::path> files = meshFilesOf(folder, record);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const WrittenFile* const written = writtenMesh(record, i);
        if (written == nullptr || !isAsWritten(files[i], *written)) return false;
    }
    return true;
}

std::vector<fs::path> changedMeshFilesOf(const fs::path& folder, const SampleRecord& record) {
    std::vector<fs::path> changed;
    const std::vector<fs::path> files = meshFilesOf(folder, record);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (!pathExists(files[i])) continue;
        const WrittenFile* const written = writtenMesh(record, i);
        if (written == nullptr || !isAsWritten(files[i], *written)) changed.push_back(files[i]);
    }
    return changed;
}

std::vector<WrittenFile> writeMeshes(const fs::path& folder, const std::string& name,
                                     const FittedReconstruction& reconstruction) {
    const std::vector<fs::path> files = possibleMeshFiles(folder, name);
    std::vector<WrittenFile> written;
    const auto write = [&](MeshFormat format, const Mesh& mesh) {
        const std::string text = encodeMesh(format, mesh);
        writeFileAtomically(files[written.size()], text);
        written.push_back({text.size(), sha256(asBytes(text))});
    };
    const Reconstruction& network = reconstruction.network;
    const Mesh result{network.result().vertices, network.faces(network.result())};
    write(MeshFormat::obj, result);
    write(MeshFormat::xyz, result);
    if (reconstruction.fitted) write(MeshFormat::obj, *reconstruction.fitted);
    return written;
}

}  // namespace threefold
