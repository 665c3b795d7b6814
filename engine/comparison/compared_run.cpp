#include "engine/comparison/compared_run.h"

#include <utility>

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include "engine/error.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/run/mesh_result_files.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_origin.h"

namespace threefold {

namespace {

namespace fs = std::filesystem;

/// The first existing file of a sample's mesh; empty if there is none.
fs::path meshFileOf(const fs::path& folder, const std::string& name) {
    for (const std::string& extension : meshExtensions())
        if (fs::path file = folder / (name + extension); isFile(file)) return file;
    return {};
}

}  // namespace

Mesh readSampleMesh(const fs::path& folder, const std::string& name,
                    std::vector<std::string>* notes) {
    for (const char* ending : {kFittedSuffix, kPredictionSuffix, ""}) {
        const fs::path file = meshFileOf(folder, name + ending);
        if (file.empty()) continue;
        LoadedMesh mesh = readMesh(file);
        if (notes != nullptr) {
            if (const std::string leftOut = leftOutText(mesh); !leftOut.empty())
                notes->push_back(fmt::format("{}: {}", file.string(), leftOut));
            const fs::path plain = meshFileOf(folder, name);
            if (!plain.empty() && plain != file)
                notes->push_back(fmt::format("{}: is not compared, as {} is there", plain.string(),
                                             file.filename().string()));
        }
        moveOrigin(mesh, glm::dvec3(0.0));
        return {std::move(mesh.vertices), std::move(mesh.faces)};
    }
    return {};
}

ComparedRun readRun(const fs::path& folder) {
    return {folder.string(), readJournal(folder).run(), [folder](const SampleRecord& record) {
                try {
                    return readSampleMesh(folder, record.name);
                } catch (const FormatError& error) {
                    ErrorReport report = error.report();
                    report.remedy =
                        "Remove it and continue that run (`resume`), which then makes it again.";
                    throw FormatError(report);
                }
            }};
}

}  // namespace threefold
