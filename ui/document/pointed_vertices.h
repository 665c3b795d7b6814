#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QObject>

#include "ui/document/look_model.h"
#include "ui/document/opened_meshes.h"
#include "ui/document/result_model.h"

namespace threefold::ui {

/// A vertex of one of the document's meshes.
struct VertexId {
    MeshId id = MeshId::result;
    std::size_t index = 0;
    bool operator==(const VertexId&) const = default;
};

/// Model of the vertices that pointer and commands point to. When a mesh may have got other
/// vertices, forgets them all before the panes show the mesh. Setters signal only changes. GUI
/// thread only.
class PointedVertices : public QObject {
    Q_OBJECT

  public:
    /// The models must outlive this one.
    PointedVertices(const ResultModel& result, const OpenedMeshes& opened, const LookModel& look);

    /// The vertex under the pointer.
    const std::optional<VertexId>& hovered() const { return hovered_; }
    void setHovered(std::optional<VertexId> vertex) {
        if (std::exchange(hovered_, vertex) != vertex) Q_EMIT hoveredChanged();
    }
    /// The vertex marked by a command ("next worst").
    const std::optional<VertexId>& marked() const { return marked_; }
    void setMarked(std::optional<VertexId> vertex) {
        if (std::exchange(marked_, vertex) != vertex) Q_EMIT markedChanged();
    }
    /// The ends of the measured distance: none, the first, or both.
    const std::vector<VertexId>& distanceEnds() const { return distanceEnds_; }
    void setDistanceEnds(std::vector<VertexId> ends) {
        if (std::exchange(distanceEnds_, ends) != ends) Q_EMIT distanceEndsChanged();
    }

  Q_SIGNALS:
    void hoveredChanged();
    void markedChanged();
    void distanceEndsChanged();

  private:
    void clear();
    void updateFromResult(const ResultRef& before);
    void updateFromLook(const Look& before);

    const ResultModel& result_;
    const LookModel& look_;
    std::optional<VertexId> hovered_;
    std::optional<VertexId> marked_;
    std::vector<VertexId> distanceEnds_;
};

}  // namespace threefold::ui
