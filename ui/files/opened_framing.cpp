#include "ui/files/opened_framing.h"

#include <algorithm>
#include <memory>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "ui/document/connections.h"
#include "ui/panes/viewport.h"

namespace threefold::ui {
namespace {

/// Adds a subset of a mesh's points that is enough to fit a camera to. If points are left out, adds
/// the minimum and maximum corners of the mesh's box.
void addPoints(Points& points, const render::SceneMesh& mesh) {
    constexpr std::size_t kMaxPoints = 20'000;
    const std::size_t step = mesh.vertices.size() / kMaxPoints + 1;
    for (std::size_t i = 0; i < mesh.vertices.size(); i += step) points.push_back(mesh.vertices[i]);
    if (step == 1 || mesh.vertices.empty()) return;
    const Box3f box = boundsOf(mesh.vertices);
    points.insert(points.end(), {box.min, box.max});
}

std::vector<std::vector<MeshId>> arrangement(const Document& document) {
    std::vector<std::vector<MeshId>> panes;
    for (const ArrangedPane& pane : arrangePanes(document)) {
        panes.emplace_back();
        for (const ArrangedMesh& mesh : pane.meshes) panes.back().push_back(mesh.id);
    }
    return panes;
}

}  // namespace

bool needOwnCameras(const std::vector<Box3f>& boxes) {
    if (boxes.empty()) return false;
    constexpr float kMaxRatio = 2;
    float smallest = glm::distance(boxes.front().min, boxes.front().max);
    float largest = smallest;
    for (const Box3f& box : boxes) {
        const float diagonal = glm::distance(box.min, box.max);
        smallest = std::min(smallest, diagonal);
        largest = std::max(largest, diagonal);
    }
    if (largest > kMaxRatio * smallest) return true;
    const auto centreOf = [](const Box3f& box) { return (box.min + box.max) * 0.5F; };
    return std::ranges::any_of(boxes, [&](const Box3f& box) {
        return glm::distance(centreOf(box), centreOf(boxes.front())) > largest;
    });
}

OpenedFraming::OpenedFraming(const FeatureContext& context, Viewport& viewport)
    : QObject(&context.window),
      context_(context),
      viewport_(viewport),
      sameScale_(context.actions.add(
          {.menu = MenuSection::viewCamera,
           .text = tr("&Same scale"),
           .tooltip =
               tr("The meshes differ in size or position: show all panes at the same scale")})) {
    sameScale_->setCheckable(true);
    sameScale_->setVisible(false);
    sameScale_->setIconText(tr("Same scale"));
    context.actions.addToToolBar(*sameScale_, context.actions.frame);
    connect(sameScale_, &QAction::triggered, this, [this] {
        setFramedPoints();
        viewport_.frameMeshes();
    });
    connectChanged(this, &OpenedFraming::updateFromOpened, context.document.opened,
                   context.document.result);
    connect(&context.document.look, &LookModel::changed, this, &OpenedFraming::updateFromLook);
}

void OpenedFraming::updateFromOpened() {
    const Document& document = context_.document;
    std::vector<std::pair<MeshId, std::filesystem::path>> shown;
    if (!document.result.current()) {
        for (const MeshId id : document.opened.ids())
            shown.emplace_back(id, document.opened.find(id)->path);
        if (const OpenedMeshRef& reference = document.opened.reference())
            shown.emplace_back(MeshId::truth, reference->path);
    }
    const bool isNewSelection = shown != framed_;
    framed_ = std::move(shown);
    setFramedPoints();
    // A file that was read again leaves the cameras where they are.
    if (framed_.empty() || !isNewSelection) return;
    // Looks from the front, above and left.
    viewport_.lookInDirectionOf(Camera::fromRow({.azimuth = 60, .elevation = 25, .distance = 1}));
}

void OpenedFraming::updateFromLook() {
    if (framed_.empty() || context_.document.look.isBlinking()) return;
    if (arrangement(context_.document) == arrangement_) return;
    const bool wasApart = framesEachPane();
    setFramedPoints();
    if (wasApart || framesEachPane()) viewport_.frameMeshes();
}

void OpenedFraming::setFramedPoints() {
    needOwnCameras_ = false;
    if (!framed_.empty()) {
        std::vector<FramedPoints> each;
        std::vector<Box3f> boxes;
        auto all = std::make_shared<Points>();
        for (const ArrangedPane& pane : arrangePanes(context_.document)) {
            auto points = std::make_shared<Points>();
            for (const ArrangedMesh& mesh : pane.meshes)
                if (mesh.mesh) addPoints(*points, *mesh.mesh);
            if (!points->empty()) boxes.push_back(boundsOf(*points));
            all->insert(all->end(), points->begin(), points->end());
            each.push_back(std::move(points));
        }
        needOwnCameras_ = each.size() > 1 && needOwnCameras(boxes);
        if (framesEachPane())
            viewport_.setFramedPoints(PaneFramedPoints(std::move(each)));
        else if (!all->empty())
            viewport_.setFramedPoints(FramedPoints(std::move(all)));
    }
    arrangement_ = arrangement(context_.document);
    sameScale_->setVisible(needOwnCameras_);
}

}  // namespace threefold::ui
