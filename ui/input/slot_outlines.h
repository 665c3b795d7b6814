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
#include "ui/document/single_thread_pool.h"
#include "ui/input/outline_picture.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {

class InputPanel;

/// Meshes that can be outlined in the slots, in the order of the menu. MeshId::result stands
/// for the mesh at the stage slider (Look::morphPosition), and is drawn in place of a missing
/// MeshId::fitted. MeshId::opened(1) stands for the first opened mesh, whatever its number.
inline constexpr std::array kOutlinedMeshes{MeshId::result, MeshId::firstPublished,
                                            MeshId::opened(1), MeshId::fitted};

/// Draws a mesh's outline or wireframe over the photographs in the slots, and shows the overlap of
/// mesh and photograph. Follows mesh, stage, cameras and slots. Draws on its own thread; only the
/// newest request is drawn. Draws an ellipsoid before the sample is reconstructed, and the
/// network's first mesh during the reconstruction. Where a camera is only guessed, the ellipsoid is
/// drawn while the user edits this camera.
class SlotOutlines : public QObject {
    Q_OBJECT

  public:
    SlotOutlines(const FeatureContext& context, InputPanel& input);

    OutlineKind kind() const { return kind_; }
    void setKind(OutlineKind kind);
    MeshId outlined() const { return outlined_; }
    /// Sets the outlined mesh, one of kOutlinedMeshes.
    void setOutlined(MeshId id);
    /// Whether the slots show the newest request.
    bool isUpToDate() const { return shown_ == requested_; }
    /// The outlined mesh; null: none.
    render::SceneMeshRef mesh() const;
    /// The mesh outlined in a view's photograph: mesh(), but no ellipsoid where the view's camera
    /// is guessed and is not being edited; null: none.
    render::SceneMeshRef meshIn(int view) const;

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
        bool hasOutline = true;
        /// Scores that the fit measured in the photograph itself, which is finer than the network's
        /// input; none: not measured.
        std::optional<FitAgreement> agreement;
    };
    /// Score to show: none, one computed by drawOutline(), or one that the fit measured (computed
    /// if the slot has no FitAgreement).
    enum class Score { none, computed, beforeFit, afterFit };
    struct Job {
        quint64 serial = 0;
        render::SceneMeshRef mesh;
        render::SceneMeshRef fitted;  ///< also compared with the photographs; null: none
        Score score = Score::computed;
        OutlineKind kind = OutlineKind::none;
        qreal pixelRatio = 1;
        std::vector<Slot> slotViews;
    };

    void buildMenu();
    QAction* choiceOf(MeshId id) const;
    void request();
    bool showsScoreOf(const render::SceneMeshRef& mesh) const;
    render::SceneMeshRef fitted() const;
    void showPictures(quint64 serial, const std::vector<int>& views,
                      const std::vector<OutlinePicture>& pictures);
    void clearStale();
    void draw(const Job& job);

    FeatureContext context_;
    InputPanel& input_;
    OutlineKind kind_ = OutlineKind::outline;
    MeshId outlined_ = MeshId::result;
    QList<QAction*> kinds_;
    QList<QAction*> meshes_;
    render::SceneMeshRef placeholder_;
    std::vector<int> views_;  // view of each slot at the last request
    quint64 requested_ = 0;
    quint64 shown_ = 0;

    SingleThreadPool thread_;
};

/// Adds the outlines in the slots, and their menu.
SlotOutlines& addSlotOutlines(const FeatureContext& context, InputPanel& input);

}  // namespace threefold::ui
