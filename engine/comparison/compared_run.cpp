#include "engine/comparison/compared_run.h"

#include <utility>

#include <fmt/format.h>
#include <glm/vec3.hpp>

#include "engine/evaluation/journal.h"
#include "engine/formats/bytes/file_bytes.h"
#include "engine/formats/meshes/mesh_files.h"

namespace threefold {

Mesh readSampleMesh(const std::filesystem::path& folder, const std::string& name) {
    for (const char* ending : {"_fitted", "_predict", ""})
        for (const std::string& extension : meshExtensions()) {
            const std::filesystem::path file =
                folder / fmt::format("{}{}{}", name, ending, extension);
            if (!isFile(file)) continue;
            LoadedMesh mesh = readMesh(file);
            moveOrigin(mesh, glm::dvec3(0.0));
            return {std::move(mesh.vertices), std::move(mesh.faces)};
        }
    return {};
}

ComparedRun readRun(const std::filesystem::path& folder) {
    return {folder.string(), readJournal(folder).run(),
            [folder](const SampleRecord& record) { return readSampleMesh(folder, record.name); }};
}

}  // namespace threefold
