#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QPointer>
#include <QString>

#include "engine/mesh.h"
#include "ui/document/fit_choice.h"
#include "ui/document/look.h"
#include "ui/document/result.h"

namespace threefold::ui {

/// A mesh or a cloud of points from a file of the user's, beside what the network makes.
struct OpenedMesh {
    std::filesystem::path path;
    render::SceneMeshRef mesh;  ///< in ShapeNet's world space, as the result's meshes
    /// The points that stand for it where others are measured against it; may be null.
    render::SceneMeshRef points = nullptr;
    QString title = {};  ///< what it is where it is of no file: "Refined · views 0, 6, 7"

    QString name() const;  ///< the title, or else the file's name
};
using OpenedMeshRef = std::shared_ptr<const OpenedMesh>;

/// Which mesh a pane, a value or a picked vertex belongs to.
enum class MeshRole { coarse, refined, truth, comparison, fitted };

struct PickedVertex {
    MeshRole role = MeshRole::refined;
    std::size_t index = 0;
    bool operator==(const PickedVertex&) const = default;
};

class ComparisonValues;
class MeasuredMeshes;

/// A reconstruction under way. The document's result is of before until it ends.
struct PendingRun {
    SampleRef sample = {};  ///< null until its files are found
    std::vector<int> views = {};
    /// What it has shown so far: its coarse mesh (makeCoarseResult()), or that of the run which it
    /// has overtaken. Null: nothing.
    ResultRef coarse = {};
    double done = 0;  ///< 0…1 of the usual time
};

/// What the window shows and how: the one place that commands change and panels read. Every setter
/// signals only where something changed. Of the window's thread.
class Document : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    const ResultRef& result() const { return result_; }  ///< null before the first
    void setResult(ResultRef result);

    /// None: nothing is being reconstructed.
    const std::optional<PendingRun>& pending() const { return pending_; }
    void setPending(std::optional<PendingRun> run);
    void setPendingDone(double done);
    /// As setResult(); the run under way has ended with it.
    void endPending(ResultRef result);
    /// What a role's mesh and values come from: the run under way where it has brought something,
    /// the result, or null. Only what makeCoarseResult() makes has no refined mesh.
    const ResultRef& shown(MeshRole role) const;
    /// Whether that is older than what the run under way will bring.
    bool stale(MeshRole role) const;

    const FitChoice& fitChoice() const { return fitChoice_; }
    void setFitChoice(const FitChoice& choice);
    /// The fitted mesh so far, while the result's fit is under way or about to begin: the refined
    /// one at first. Null where the result is fitted, or will not be.
    const render::SceneMeshRef& fitSoFar() const { return fitSoFar_; }
    void setFitSoFar(render::SceneMeshRef mesh);

    /// Opened for comparison: stands in the first pane instead of the coarse mesh; alone in the
    /// only pane while there is no result. Null: none.
    const OpenedMeshRef& comparison() const { return comparison_; }
    /// `reference`: another file, which it is judged against where there is no result.
    void setComparison(OpenedMeshRef mesh, OpenedMeshRef reference = nullptr);
    const OpenedMeshRef& reference() const { return reference_; }
    /// What meshes are measured against: the points of the result's truth, or else of the
    /// reference; null: nothing.
    render::SceneMeshRef truthPoints() const;

    /// Who computes the values of that mesh; null: nobody does.
    const ComparisonValues* comparisonValues() const;
    void setComparisonValues(const ComparisonValues* values);
    /// Who measures the meshes; null: nobody does.
    const MeasuredMeshes* measured() const;
    void setMeasured(const MeasuredMeshes* measured);

    const Look& look() const { return look_; }
    void setLook(const Look& look);
    /// Sets the look after `change` has been applied to a copy of it.
    template <class Change>
    void changeLook(const Change& change) {
        Look look = look_;
        change(look);
        setLook(look);
    }

    /// Under the pointer, and marked by a command ("next worst").
    const std::optional<PickedVertex>& hovered() const { return hovered_; }
    const std::optional<PickedVertex>& marked() const { return marked_; }
    void setHovered(std::optional<PickedVertex> vertex);
    void setMarked(std::optional<PickedVertex> vertex);

    /// The points between which a distance is measured: none, the first, or both.
    const std::vector<PickedVertex>& distanceEnds() const { return distanceEnds_; }
    void setDistanceEnds(std::vector<PickedVertex> ends);

    /// While a key is held: the two meshes have changed places, the cameras have not.
    bool blinking() const { return blinking_; }
    void setBlinking(bool blinking);

  Q_SIGNALS:
    void resultChanged();
    void pendingChanged();
    void pendingAdvanced();  ///< PendingRun::done alone
    void fitChoiceChanged();
    void fitAdvanced();
    void comparisonChanged();  ///< or the reference
    void measuresChanged();    ///< measured() knows more, or other things
    void lookChanged(const threefold::ui::Look& before);
    void hoveredChanged();
    void markedChanged();
    void distanceEndsChanged();
    void blinkingChanged();

  private:
    ResultRef result_;
    std::optional<PendingRun> pending_;
    FitChoice fitChoice_;
    render::SceneMeshRef fitSoFar_;
    OpenedMeshRef comparison_;
    OpenedMeshRef reference_;
    QPointer<const ComparisonValues> comparisonValues_;
    QPointer<const MeasuredMeshes> measured_;
    Look look_;
    std::optional<PickedVertex> hovered_;
    std::optional<PickedVertex> marked_;
    std::vector<PickedVertex> distanceEnds_;
    bool blinking_ = false;
};

}  // namespace threefold::ui
