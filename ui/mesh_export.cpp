#include "ui/mesh_export.h"

#include "engine/formats/mesh_writers.h"

namespace threefold::ui {

std::vector<ExportFile> exportFiles(const Result& result, const ExportChoice& choice) {
    const char* const ending = choice.format == ExportFormat::obj ? ".obj" : ".xyz";
    const std::string name = result.sample->name();
    std::vector<ExportFile> files;
    if (choice.coarse) files.push_back({choice.folder / (name + "_coarse" + ending), false});
    if (choice.refined) files.push_back({choice.folder / (name + "_predict" + ending), true});
    return files;
}

void exportMeshes(const Result& result, const ExportChoice& choice) {
    const Reconstruction& meshes = result.reconstruction;
    for (const ExportFile& file : exportFiles(result, choice)) {
        const Points& points = file.refined ? meshes.refined : meshes.coarse;
        if (choice.format == ExportFormat::obj) {
            writeObj(file.path, {points, meshes.faces()});
        } else {
            writeXyz(file.path, points);
        }
    }
}

}  // namespace threefold::ui
