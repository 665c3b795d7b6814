#include "ui/files/opened_file_reader.h"

#include <tuple>
#include <utility>

#include "engine/formats/meshes/mesh_appearance.h"

namespace threefold::ui {

OpenedFileReader::OpenedFileReader(Banner& banner, FileTasks& tasks, QObject* parent)
    : QObject(parent), banner_(banner), tasks_(tasks), watch_(this) {
    connect(&watch_, &FileWatch::changed, this, &OpenedFileReader::fileChanged);
}

void OpenedFileReader::read(const std::filesystem::path& file, NewestTask& request,
                            MeshRead onRead) {
    const auto pending = std::make_shared<char>();
    pending_ = pending;
    using Painted =
        std::tuple<std::shared_ptr<const LoadedMesh>, SurfacePaint, std::optional<ErrorReport>>;
    tasks_.run(
        file, request,
        [file](const MeshReadOptions& reading) {
            TexturedMesh textured = readTexturedMesh(file, reading);
            const SurfacePaint paint = paintOf(textured);
            std::optional<ErrorReport> problem = textured.appearance.outsideFolderError;
            if (const std::string leftOut = leftOutText(textured.mesh);
                !problem && !leftOut.empty())
                problem = ErrorReport{file.string(), "", leftOut, ""};
            return Painted(std::make_shared<const LoadedMesh>(std::move(textured.mesh)), paint,
                           problem);
        },
        [this, file, pending, onRead = std::move(onRead)](const Painted& painted) {
            const auto& [read, paint, problem] = painted;
            if (problem)
                banner_.show(*problem);
            else
                banner_.hideReportOf(file.string());
            onRead(read, paint);
        });
}

void OpenedFileReader::reset() {
    pending_.reset();
    watch_.watch({});
}

}  // namespace threefold::ui
