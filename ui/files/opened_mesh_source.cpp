#include "ui/files/opened_mesh_source.h"

#include <utility>

#include <QAction>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/geometry/surface_samples.h"
#include "ui/document/input_model.h"
#include "ui/document/input_state.h"
#include "ui/document/measured_meshes.h"
#include "ui/document/shown_document.h"
#include "ui/style/number_format.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

std::optional<glm::dvec3> originOfOpened(const Document& document, std::optional<MeshId> except) {
    if (document.opened.reference()) return document.opened.reference()->origin;
    for (const MeshId id : document.opened.ids())
        if (id != except) return document.opened.find(id)->origin;
    return std::nullopt;
}

OpenedMeshSource::OpenedMeshSource(const FeatureContext& context, FileTasks& tasks, MeshId id)
    : context_(context), tasks_(tasks), id_(id), reader_(context.banner, tasks, this) {
    connect(&reader_, &OpenedFileReader::fileChanged, this, &OpenedMeshSource::readAgain);
    connect(context.actions.cancel, &QAction::triggered, this, [this] { request_.cancel(); });
    connect(&context.document.result, &ResultModel::changed, this,
            &OpenedMeshSource::updateFromResult);
    connect(&context.document.run, &RunModel::changed, this, &OpenedMeshSource::updateFromSample);
}

const std::filesystem::path& OpenedMeshSource::file() const {
    static const std::filesystem::path kNone;
    return isShown() && fileContent() != nullptr ? fileContent()->file->source : kNone;
}

QString OpenedMeshSource::Content::name() const {
    if (const auto* fromFile = std::get_if<FileContent>(&mesh))
        return fileName(fromFile->file->source);
    const auto* fromResult = std::get_if<ResultContent>(&mesh);
    if (fromResult == nullptr) return {};
    if (fromResult->isOfSecondNetwork()) return fromResult->secondNetwork;
    return OpenedMeshSource::tr("%1 · views %2")
        .arg(sampleTitle(*fromResult->result->sample), numberList(fromResult->result->views));
}

SampleRef OpenedMeshSource::currentSample() const {
    if (context_.document.run.state().isReconstructing())
        return context_.document.run.state().sample();
    const ResultRef& result = context_.document.result.current();
    return result ? result->sample : context_.input.sample();
}

void OpenedMeshSource::read(const std::filesystem::path& file, std::optional<MeshSpace> space,
                            bool takesPane) {
    reader_.read(file, request_,
                 [this, space, takesPane](const std::shared_ptr<const LoadedMesh>& meshFile,
                                          const SurfacePaint& paint) {
                     const ResultRef& result = context_.document.result.current();
                     // Photographs have a world of their own, in which the space cannot be
                     // detected.
                     const MeshSpace detected =
                         space ? *space
                         : result && result->sample->photos
                             ? MeshSpace::world
                             : detectSpace(meshFile->vertices, meshFile->origin);
                     setContent({FileContent{meshFile, paint, detected, !space, takesPane},
                                 currentSample()});
                     Q_EMIT opened(meshFile->source);
                 });
}

// The space, the alignment and the sample stay as they are.
void OpenedMeshSource::readAgain() {
    if (fileContent() == nullptr) return;
    reader_.read(
        fileContent()->file->source, request_,
        [this](const std::shared_ptr<const LoadedMesh>& meshFile, const SurfacePaint& paint) {
            FileContent* const content = fileContent();
            if (content == nullptr || content->file->source != meshFile->source) return;
            content->file = meshFile;
            content->paint = paint;
            context_.status.showMessage(
                tr("%1 has changed and was read again").arg(fileName(meshFile->source)));
            if (!hidden_) transformMesh();
        });
}

void OpenedMeshSource::showResult(const ResultRef& result, const QString& title) {
    request_.cancel();
    setContent({ResultContent{result, title}, currentSample()});
}

void OpenedMeshSource::setContent(Content content) {
    hidden_ = false;
    content_ = std::move(content);
    watchFile();
    transformMesh();
}

void OpenedMeshSource::watchFile() {
    const FileContent* const content = fileContent();
    reader_.watch(content != nullptr ? content->file->source : std::filesystem::path());
}

void OpenedMeshSource::setSpace(MeshSpace space) {
    if (!this->space()) return;
    FileContent& content = *fileContent();
    content.isSpaceDetected = false;
    if (std::exchange(content.space, space) == space)
        Q_EMIT changed();
    else
        transformMesh();
}

render::SceneMeshRef OpenedMeshSource::target() const {
    if (render::SceneMeshRef truth = context_.document.truthPoints()) return truth;
    const ResultRef& result = context_.document.result.current();
    return result ? result->mesh(MeshId::result) : nullptr;
}

bool OpenedMeshSource::needsAlignment() const {
    const OpenedMeshRef& opened = context_.document.opened.find(id_);
    const render::SceneMeshRef goal = target();
    if (!opened || !space() || !goal) return false;
    if (alignmentCheck_.mesh != opened->mesh || alignmentCheck_.target != goal)
        alignmentCheck_ = {opened->mesh, goal, !areAligned(opened->mesh->vertices, goal->vertices)};
    return alignmentCheck_.needsAlignment;
}

void OpenedMeshSource::align() {
    const render::SceneMeshRef goal = target();
    if (!space() || !goal) return;
    const MeasuredMesh before = context_.measured.mesh(id_);
    const std::shared_ptr<const LoadedMesh> file = fileContent()->file;
    tasks_.run(
        file->source, request_,
        [file, goal](const MeshReadOptions& reading) {
            const Mesh mesh{file->vertices, file->faces};
            const Points points = mesh.faces.empty() ? mesh.vertices : sampleSurface(mesh).points;
            return alignByIcp(points, goal->vertices, reading.cancel);
        },
        [this, file, before](const SimilarityTransform& alignment) {
            FileContent* const content = fileContent();
            if (content == nullptr || content->file != file) return;
            content->alignment = MeshAlignment{alignment, {}};
            if (before.scores())
                content->alignment->fBefore = before.scores()->measures.atTau().fScore;
            transformMesh();
        });
}

void OpenedMeshSource::undoAlignment() {
    if (!space()) return;
    fileContent()->alignment.reset();
    transformMesh();
}

MeshPlacement OpenedMeshSource::placement() const {
    const ResultRef& result = context_.document.result.current();
    MeshPlacement placement;
    const FileContent* const content = fileContent();
    if (content == nullptr) return placement;
    placement.alignment = content->alignment;
    if (!result) return placement;
    if (content->space == MeshSpace::camera) placement.camera = result->referenceCamera();
    if (content->space == MeshSpace::world) placement.posedPhotos = result->sample->photos;
    return placement;
}

void OpenedMeshSource::transformMesh() {
    appliedPlacement_ = placement();
    auto opened = std::make_shared<OpenedMesh>();
    if (const ResultContent* const content = resultContent()) {
        opened->mesh = content->result->finalMesh();
        opened->title = content_.name();
        if (content->isOfSecondNetwork()) opened->result = content->result;
        return publish(std::move(opened));
    }
    const FileContent& content = *fileContent();
    opened->origin = originOfOpened(context_.document, id_).value_or(content.file->origin);
    opened->takesPane = content.takesPane;
    tasks_.run(
        content.file->source, request_,
        [file = content.file, paint = content.paint, placement = appliedPlacement_,
         origin = opened->origin](const MeshReadOptions&) {
            return placedMesh(*file, paint, placement, origin);
        },
        [this, file = content.file, opened](const render::SceneMeshRef& mesh) {
            if (fileContent() == nullptr || fileContent()->file != file) return;
            opened->path = file->source;
            opened->mesh = mesh;
            opened->scalars = {file, &file->scalars};
            publish(opened);
        });
}

void OpenedMeshSource::publish(OpenedMeshRef mesh) {
    context_.document.opened.set(id_, std::move(mesh));
    Q_EMIT changed();
}

void OpenedMeshSource::close() {
    request_.cancel();
    reader_.reset();
    content_ = {};
    hidden_ = false;
    appliedPlacement_ = {};
    alignmentCheck_ = {};
    context_.document.opened.set(id_, nullptr);
    if (context_.document.opened.ids().empty()) context_.document.opened.setReference(nullptr);
    Q_EMIT changed();
}

std::optional<OpenedMeshSource::Hidden> OpenedMeshSource::hidden() const {
    if (!hidden_) return std::nullopt;
    return Hidden{content_.name(), sampleTitle(*content_.sample)};
}

void OpenedMeshSource::showAgain() {
    if (!hidden_) return;
    content_.sample = currentSample();
    hidden_ = false;
    transformMesh();
}

void OpenedMeshSource::updateFromSample() {
    const SampleRef sample = currentSample();
    if (!sample) return;
    if (isShown()) {
        if (resultContent() != nullptr && resultContent()->isOfSecondNetwork())
            return;  // SecondNetwork closes or replaces the mesh
        if (!content_.sample) content_.sample = sample;
        if (isSameSample(content_.sample, sample)) return;
        Content hidden = content_;
        close();
        content_ = std::move(hidden);
        watchFile();
        hidden_ = true;
        Q_EMIT changed();
    } else if (hidden_ && isSameSample(content_.sample, sample)) {
        hidden_ = false;
        transformMesh();
    }
}

void OpenedMeshSource::updateFromResult() {
    Document& document = context_.document;
    if (!document.result.current()) return;
    document.opened.setReference(nullptr);  // the sample's own truth applies
    updateFromSample();
    if (!isShown()) return;
    if (!isSameFrame(placement(), appliedPlacement_)) transformMesh();
}

}  // namespace threefold::ui
