#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <QImage>
#include <QObject>
#include <QSize>

#include "engine/views/rendering_metadata.h"
#include "render/scene.h"
#include "ui/input/outline_picture.h"
#include "ui/shell/window_parts.h"

class QAction;
class QMenu;

namespace threefold::ui {

/// Which mesh is outlined in the slots.
enum class OutlineOf {
    refined,     ///< the second pane's: wherever Look::way stands
    coarse,      ///< the end of stage 1
    comparison,  ///< the mesh opened from a file
};

/// Lays the mesh's outline or wireframe over the photographs in the slots, and says how far the two
/// overlap. It follows the mesh, the way, the cameras and the slots; drawing happens on a thread of
/// its own, the newest wins. Before an item was reconstructed an ellipsoid stands for it.
class SlotOutlines : public QObject {
    Q_OBJECT

  public:
    explicit SlotOutlines(const WindowParts& parts);
    ~SlotOutlines() override;

    OutlineKind kind() const { return kind_; }
    void setKind(OutlineKind kind);
    OutlineOf of() const { return of_; }
    void setOf(OutlineOf of);
    /// Everything asked for is in the slots.
    bool upToDate() const { return shown_ == asked_; }

  Q_SIGNALS:
    void drawn(quint64 serial, const std::vector<int>& views,
               const std::vector<threefold::ui::OutlinePicture>& pictures);

  private:
    struct Slot {
        int view = 0;
        CameraRow camera;
        QImage photograph;
        QSize size;
    };
    struct Job {
        quint64 serial = 0;
        render::SceneMeshRef mesh;
        OutlineKind kind = OutlineKind::none;
        qreal pixelRatio = 1;
        std::vector<Slot> inSlots;
    };

    void buildMenu();
    void ask();
    render::SceneMeshRef mesh() const;
    void take(quint64 serial, const std::vector<int>& views,
              const std::vector<OutlinePicture>& pictures);
    void clearStale();
    void loop(const std::stop_token& closing);

    WindowParts parts_;
    OutlineKind kind_ = OutlineKind::outline;
    OutlineOf of_ = OutlineOf::refined;
    std::vector<QAction*> kinds_;
    std::vector<QAction*> meshes_;
    render::SceneMeshRef placeholder_;
    std::vector<int> views_;  // that the slots' overlays belong to
    quint64 asked_ = 0;
    quint64 shown_ = 0;

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Job> waiting_;
    std::jthread thread_;  // last: it uses everything above
};

}  // namespace threefold::ui
