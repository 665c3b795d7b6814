#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include <QObject>

#include "render/scene.h"
#include "ui/panes/picking_trees.h"
#include "ui/shell/window_parts.h"

class QAction;
class QMenu;

namespace threefold::ui {

/// Walks down the vertices in which the shown quantity is locally worst, and marks them: of the
/// refined mesh, or else of the first one with values. The camera turns only where the vertex would
/// not be seen.
class CompareWorst : public QObject {
    Q_OBJECT

  public:
    CompareWorst(const WindowParts& parts, PickTrees& trees, QMenu& menu);

    /// Of the marked vertex among the `count` worst, from 0.
    std::optional<std::size_t> rank() const { return rank_; }
    std::size_t count() const { return peaks_.size(); }

  private:
    void step(int by);
    void withPeaks(std::function<void()> then);
    void mark(std::size_t rank);
    void bringIntoSight();
    void follow();

    Document& document_;
    Viewport& viewport_;
    StatusLine& status_;
    PickTrees& trees_;
    QAction* clear_;

    // Of these, which stay alive so that no other object takes their place.
    render::SceneMeshRef mesh_;
    render::SceneValuesRef values_;
    MeshRole role_ = MeshRole::refined;
    std::vector<std::size_t> peaks_;
    std::optional<std::size_t> rank_;
    quint64 asked_ = 0;
    bool awaitsTree_ = false;
};

}  // namespace threefold::ui
