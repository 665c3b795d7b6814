#include "engine/comparison/read_run.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/evaluation/journal.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/formats/meshes/mesh_formats.h"

namespace threefold {

namespace fs = std::filesystem;

Mesh meshOf(const fs::path& folder, const std::string& name) {
    for (const char* ending : {"_fitted", "_predict", ""})
        for (const std::string& extension : meshExtensions()) {
            const fs::path file = folder / fmt::format("{}{}{}", name, ending, extension);
            std::error_code error;
            if (!fs::is_regular_file(file, error)) continue;
            MeshFile read = readMesh(file);
            return {std::move(read.vertices), std::move(read.faces)};
        }
    return {};
}

ComparedRun readRun(const fs::path& folder) {
    return {folder.string(), readJournal(folder).run(),
            [folder](const SampleRecord& record) { return meshOf(folder, record.name); }};
}

}  // namespace threefold
