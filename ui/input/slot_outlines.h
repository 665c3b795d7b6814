#pragma once

#include <array>
#include <vector>

#include <QImage>
#include <QList>
#include <QObject>
#include <QSize>

#include "engine/fitting/fit_mesh.h"
#include "engine/views/camera.h"
#include "render/scene.h"
#include "ui/document/background.h"
#include "ui/input/outline.h"
#include "ui/shell/window_parts.h"

namespace threefold::ui {

class InputPanel;

/// The meshes that may be outlined in the slots, in the order of the menu: the network's result is
/// the pane's, at Look::shownPosition(), and stands for the fitted mesh until there is one.
inline constexpr std::array kOutlinedMeshes{MeshId::result, MeshId::first, MeshId::opened(1),
                                            MeshId::fitted};

/// Draws the mesh's outline or wireframe over the photographs in the slots and shows their overlap.
/// Follows mesh, stage, cameras and slots. Draws on its own thread; the newest request wins. Before
/// the item is reconstructed it draws an ellipsoid, while it is reconstructed the network's first
/// mesh.
class SlotOutlines : public QObject {
    Q_OBJECT

  public:
    SlotOutlines(const WindowParts& parts, InputPanel& input);

    OutlineKind kind() const { return kind_; }
    void setKind(OutlineKind kind);
    MeshId of() const { return of_; }
    /// One of kOutlinedMeshes.
    void setOf(MeshId of);
    /// The slots show the newest request.
    bool upToDate() const { return shown_ == asked_; }
    /// What is outlined; null: nothing.
    render::SceneMeshRef mesh() const;

  Q_SIGNALS:
    void kindChanged();
    void drawn(quint64 serial, const std::vector<int>& views,
               const std::vector<threefold::ui::OutlinePicture>& pictures);

  private:
    struct Slot {
        int view = 0;
        CameraRow camera;
        QImage photograph;
        QSize size;
        /// Of the fit, which compares with the photograph itself, more finely than the network's
        /// picture of it shows.
        std::optional<FitAgreement> agreement;
    };
    struct Job {
        quint64 serial = 0;
        render::SceneMeshRef mesh;
        render::SceneMeshRef fitted;  ///< compared with the photographs as well; null: nothing
        SilhouetteScore FitAgreement::*known = nullptr;  ///< of `mesh`; null: none
        bool judged = true;                              ///< the overlap is shown
        OutlineKind kind = OutlineKind::none;
        qreal pixelRatio = 1;
        std::vector<Slot> inSlots;
    };

    void buildMenu();
    QAction* choiceOf(MeshId of) const;
    void ask();
    bool judged(const render::SceneMeshRef& mesh) const;
    render::SceneMeshRef fitted() const;
    void showPictures(quint64 serial, const std::vector<int>& views,
                      const std::vector<OutlinePicture>& pictures);
    void clearStale();
    void draw(const Job& job);

    WindowParts parts_;
    InputPanel& input_;
    OutlineKind kind_ = OutlineKind::outline;
    MeshId of_ = MeshId::result;
    QList<QAction*> kinds_;
    QList<QAction*> meshes_;
    render::SceneMeshRef placeholder_;
    std::vector<int> views_;  // that the slots' overlays belong to
    quint64 asked_ = 0;
    quint64 shown_ = 0;

    OneThread thread_;
};

}  // namespace threefold::ui
