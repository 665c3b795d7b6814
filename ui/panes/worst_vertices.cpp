#include "ui/panes/worst_vertices.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/vec4.hpp>

#include "ui/document/background.h"
#include "ui/document/document.h"
#include "ui/document/newest_task.h"
#include "ui/document/shown_document.h"
#include "ui/panes/pane_arrangement.h"
#include "ui/panes/peaks.h"
#include "ui/panes/pick_trees.h"
#include "ui/panes/viewport.h"
#include "ui/results/quantities.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {
namespace {

constexpr std::size_t kMaxPeaks = 200;

class WorstVertices : public QObject {
    Q_DECLARE_TR_FUNCTIONS(WorstVertices)

  public:
    WorstVertices(const FeatureContext& context, Viewport& viewport, PickTrees& trees);

  private:
    void step(int by);
    struct ValuedMesh {
        MeshId id;
        render::SceneMeshRef mesh;
        SurfaceValues surface;
    };

    std::optional<ValuedMesh> meshWithValues();
    void withPeaks(std::function<void()> then);
    bool isRanked(const ValuedMesh& valued) const;
    void rank(const ValuedMesh& valued, std::function<void()> then);
    void bringIntoView();
    void updateFromMarked();

    Document& document_;
    const ShownDocument shown_;
    Viewport& viewport_;
    StatusLine& status_;
    PickTrees& trees_;
    QAction* clear_;

    // Mesh and values of the peaks, kept alive so that no new object gets their address.
    render::SceneMeshRef mesh_;
    MeshValues values_;
    MeshId id_ = MeshId::result;
    std::optional<std::vector<std::size_t>> peaks_;  ///< none while they are computed
    std::optional<std::size_t> rank_;                ///< index of the marked vertex in peaks_
    QString message_;  ///< this feature's last text in the status line
    NewestTask peaksTask_;
    bool isTreePending_ = false;
};

WorstVertices::WorstVertices(const FeatureContext& context, Viewport& viewport, PickTrees& trees)
    : QObject(&context.window),
      document_(context.document),
      shown_(context.shown),
      viewport_(viewport),
      status_(context.status),
      trees_(trees) {
    Actions& actions = context.actions;
    actions.add(
        {.menu = MenuSection::viewPanes,
         .text = tr("&Next worst vertex"),
         .keys = Qt::Key_N,
         .tooltip = tr("Marks the vertex with the greatest value, then the next local maximum")},
        this, [this] { step(1); });
    actions.add({.menu = MenuSection::viewPanes,
                 .text = tr("&Previous worst vertex"),
                 .keys = Qt::SHIFT | Qt::Key_N,
                 .tooltip = tr("Marks the previous local maximum")},
                this, [this] { step(-1); });
    clear_ = actions.add({.menu = MenuSection::viewPanes,
                          .text = tr("&Clear the mark"),
                          .tooltip = tr("Removes the mark (Esc)")},
                         this, [this] { document_.pointed.setMarked(std::nullopt); });
    actions.addEscape(*clear_, 2);
    connect(&document_.pointed, &PointedVertices::markedChanged, this,
            &WorstVertices::updateFromMarked);
    connect(&trees_, &PickTrees::ready, this, [this] {
        if (isTreePending_) bringIntoView();
    });
    updateFromMarked();
}

void WorstVertices::updateFromMarked() {
    clear_->setEnabled(document_.pointed.marked().has_value());
    if (!document_.pointed.marked()) {
        rank_.reset();
        isTreePending_ = false;
        // Keep a newer text of another feature in the status line.
        if (!message_.isEmpty() && status_.text() == message_) status_.showMessage({});
        message_.clear();
    }
}

void WorstVertices::step(int by) {
    withPeaks([this, by] {
        if (peaks_->empty()) return status_.showMessage(tr("No vertex has a value"));
        const auto count = static_cast<std::ptrdiff_t>(peaks_->size());
        const std::ptrdiff_t from = rank_ ? static_cast<std::ptrdiff_t>(*rank_) : by > 0 ? -1 : 0;
        rank_ = static_cast<std::size_t>((from + by + count) % count);
        document_.pointed.setMarked(VertexId{id_, peaks_->at(*rank_)});
        message_ = tr("Worst vertex %1 of %2").arg(*rank_ + 1).arg(peaks_->size());
        status_.showMessage(message_);
        bringIntoView();
    });
}

// The mesh at the stage slider (fitted mesh or result) if it has values, or else the first shown
// mesh with values. If no mesh has values, tells why in the status line.
std::optional<WorstVertices::ValuedMesh> WorstVertices::meshWithValues() {
    std::vector<MeshId> candidates = shownIds(document_);
    const bool atFitted = document_.look.current().morphPosition == kMorphFitted &&
                          std::ranges::count(candidates, MeshId::fitted) > 0;
    candidates.insert(candidates.begin(), atFitted ? MeshId::fitted : MeshId::result);
    QString reason;
    for (const MeshId candidate : candidates) {
        const render::SceneMeshRef mesh = meshOf(document_, candidate);
        if (!mesh) continue;
        SurfaceValues surface = surfaceValues(shown_, candidate);
        if (surface.values) return ValuedMesh{candidate, mesh, std::move(surface)};
        reason = surface.reason;
    }
    status_.showMessage(reason.isEmpty()
                            ? tr("The surface shows no values: choose a quantity to colour by")
                            : reason);
    return std::nullopt;
}

// Calls `then` once peaks_ holds the peaks of meshWithValues(). Drops `then` if there is no such
// mesh, if the peaks are already being computed, or if the mesh is replaced meanwhile.
void WorstVertices::withPeaks(std::function<void()> then) {
    const std::optional<ValuedMesh> valued = meshWithValues();
    if (!valued) return;
    if (!isRanked(*valued)) return rank(*valued, std::move(then));
    if (peaks_) then();
}

bool WorstVertices::isRanked(const ValuedMesh& valued) const {
    return valued.mesh == mesh_ && valued.surface.values == values_ && valued.id == id_;
}

void WorstVertices::rank(const ValuedMesh& valued, std::function<void()> then) {
    mesh_ = valued.mesh;
    values_ = valued.surface.values;
    id_ = valued.id;
    peaks_.reset();
    rank_.reset();
    inBackground(
        this, peaksTask_.restart(),
        [mesh = mesh_, values = values_, diverging = valued.surface.diverging] {
            std::vector<float> ranked = *values;
            // For a signed quantity both extremes are bad.
            if (diverging)
                for (float& value : ranked) value = std::abs(value);
            return peaks(*mesh, ranked, kMaxPeaks);
        },
        [this, then = std::move(then)](std::vector<std::size_t> peaks) {
            peaks_ = std::move(peaks);
            // The mesh may have been replaced.
            if (meshOf(document_, id_) == mesh_) then();
        },
        [this](const ErrorReport& report) {
            mesh_.reset();  // the next command tries again
            status_.showMessage(QString::fromStdString(report.problem));
        });
}

void WorstVertices::bringIntoView() {
    isTreePending_ = false;
    const auto& vertex = document_.pointed.marked();
    if (!vertex) return;
    const auto pane = paneOf(document_, {*vertex});
    const auto point = vertexPosition(document_, *vertex);
    if (!pane || !point) return;
    const PickTreeRef tree = trees_.findOrBuild(meshOf(document_, vertex->id));
    if (!tree) {
        isTreePending_ = true;
        return;
    }
    const render::OrbitCamera& camera = viewport_.cameras().camera(*pane);
    const glm::vec4 clip = camera.toClipSpace(*point, viewport_.cameras().paneSize());
    if (!(clip.w > 0 && std::abs(clip.x) < clip.w && std::abs(clip.y) < clip.w))
        viewport_.frameMeshes();
    if (!tree->isOccluded(vertex->index, camera.centre())) return;
    const glm::vec3 direction =
        tree->bestViewDirection(vertex->index, glm::normalize(camera.centre() - camera.target),
                                camera.target, camera.distance);
    const auto [yaw, pitch] = render::anglesOf(direction, camera.upAxis);
    viewport_.turnTo(*pane, yaw, pitch);
}

}  // namespace

void addWorstVertices(const FeatureContext& context, Viewport& viewport, PickTrees& trees) {
    new WorstVertices(context, viewport, trees);
}

}  // namespace threefold::ui
