#pragma once

#include <cstddef>
#include <filesystem>

#include <QObject>

#include "engine/mesh.h"
#include "engine/progress.h"
#include "ui/results/look.h"
#include "ui/results/result.h"
#include "ui/style/window_words.h"

namespace threefold::ui {

/// A mesh or a cloud of points from the user's file, compared with the network's meshes.
struct OpenedMesh {
    std::filesystem::path path;
    render::SceneMeshRef mesh;  ///< in ShapeNet's world space, as the result's meshes
    /// The points to measure other meshes against; may be null.
    render::SceneMeshRef points = nullptr;
    /// MeshFile::origin, which `mesh` and `points` lack where no sample gives a world.
    glm::dvec3 origin{0.0};
    QString title = {};     ///< if it is of no file: "Refined · views 0, 6, 7"
    ResultRef result = {};  ///< where a second network made it of the shown result's input; or null

    QString name() const { return title.isEmpty() ? fileName(path) : title; }
};
using OpenedMeshRef = std::shared_ptr<const OpenedMesh>;

struct PickedVertex {
    MeshId id = MeshId::result;
    std::size_t index = 0;
    bool operator==(const PickedVertex&) const = default;
};

class ComparisonValues;
class MeasuredMeshes;
class PhotographPaint;

/// Shares of the usual time of a fit's steps, sum 1: of those that may come.
std::vector<double> fitShares(const Result& result, const FitChoice& choice);

/// Calls `slot` of `receiver` after each of these signals.
template <class Sender, class Receiver, class Slot, class... Signals>
void connectAll(const Sender* sender, Receiver* receiver, Slot slot, Signals... signalled) {
    (QObject::connect(sender, signalled, receiver, slot), ...);
}

/// What a fit does, one after the other; the last two where it goes on to the photographs' hull.
enum class FitStep { mesh, hull, depth };

struct FitProgress {
    FitStep step = FitStep::mesh;
    double done = 0;  ///< 0…1 of the step
    bool operator==(const FitProgress&) const = default;
};

/// What is being computed for the window. While it reconstructs, the document's result is the
/// previous one.
struct RunState {
    enum class Phase {
        idle,
        pending,    ///< a reconstruction whose files are not found yet
        running,    ///< a reconstruction
        fitting,    ///< the fit of the document's result
        cancelled,  ///< how the last reconstruction or fit ended; now nothing is computed
        failed,     ///< likewise
    };
    Phase phase = Phase::idle;
    SampleRef sample = {};  ///< of a reconstruction; null while it is pending
    std::vector<int> views = {};
    /// Its coarse mesh (makeCoarseResult()), or until then that of the run which it replaced. Null:
    /// none.
    ResultRef coarse = {};
    std::vector<double> shares = {};     ///< StageHistory::shares(), or fitShares()
    std::optional<Progress> stage = {};  ///< none: none has begun
    FitProgress fit = {};
    double done = 0;  ///< 0…1 of the usual time, or of the fit

    bool reconstructing() const { return phase == Phase::pending || phase == Phase::running; }
    bool active() const { return reconstructing() || phase == Phase::fitting; }
};

/// What the window shows and how: commands change it, panels read it. Every setter signals only a
/// change. For the window's thread.
class Document : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    const ResultRef& result() const { return result_; }  ///< null before the first
    void setResult(ResultRef result);

    /// Only Reconstructor and FitMode set it.
    const RunState& run() const { return run_; }
    void setRun(RunState run);
    void advanceRun(const Progress& stage);
    /// As setResult(); ends the present run.
    void endRun(ResultRef result);
    /// Ignored while a reconstruction runs. None: the fit is over.
    void advanceFit(const std::optional<FitProgress>& progress);
    /// The source of a mesh and its values, or null: the result, but for the first mesh and for
    /// another item the present run's `coarse`, which has only that one.
    const ResultRef& shownResult(MeshId id) const;
    /// Whether the present run, or the second network's, will replace it, or it is of an item that
    /// was left.
    bool stale(MeshId id) const;
    /// Whether the input is another item by now than the result's.
    bool showsAnotherItem() const { return showsAnotherItem_; }
    void setShowsAnotherItem(bool another);

    /// A result whose fit differs from the choice is replaced by the result before its fit.
    const FitChoice& fitChoice() const { return fitChoice_; }
    void setFitChoice(const FitChoice& choice);
    /// Whether the result is to be fitted: its fit is under way, or about to begin.
    bool awaitsFit() const { return fitSoFar_ != nullptr; }
    /// The result stays without fit until the choice changes.
    void declineFit();
    /// The fitted mesh so far of a result that awaits its fit: the refined one at first. Else null.
    const render::SceneMeshRef& fitSoFar() const { return fitSoFar_; }
    void setFitSoFar(render::SceneMeshRef mesh) {
        if (std::exchange(fitSoFar_, mesh) != mesh) Q_EMIT fitAdvanced();
    }

    /// The depth maps of a fit that is under way, by the sample's view numbers, the newest of each
    /// view; not yet compared with those of other views. Those of its end are the result's.
    const std::vector<ViewDepths>& depthsSoFar() const { return depthsSoFar_; }
    void addDepthsSoFar(std::vector<ViewDepths> maps);

    /// Opened for comparison, any number of them: the first that is there is shown in the first
    /// pane instead of the network's first mesh, or alone while there is no result. Null: none.
    const OpenedMeshRef& opened(MeshId id) const;
    /// The first that is there.
    const OpenedMeshRef& opened() const;
    void setOpened(MeshId id, OpenedMeshRef mesh);
    /// The opened meshes that are there.
    std::vector<MeshId> openedIds() const;
    /// kOwnMeshes, whether there or not, and openedIds().
    std::vector<MeshId> meshIds() const;
    /// Another file, which opened meshes are judged against where there is no result.
    const OpenedMeshRef& reference() const { return reference_; }
    void setReference(OpenedMeshRef reference);
    /// What meshes are measured against: the points of the result's truth, or else of the
    /// reference; null: nothing.
    render::SceneMeshRef truthPoints() const;

    /// What is computed of the document by its children, which register themselves; null: not
    /// registered.
    const ComparisonValues* comparisonValues() const { return comparisonValues_; }
    MeasuredMeshes* measured() const { return measured_; }
    const PhotographPaint* photographs() const { return photographs_; }
    void add(const ComparisonValues& values) { comparisonValues_ = &values; }
    void add(MeasuredMeshes& measured) { measured_ = &measured; }
    void add(const PhotographPaint& photographs) { photographs_ = &photographs; }

    const Look& look() const { return look_; }
    /// What the surfaces are coloured by: the look's quantity; where that is a distance to a truth
    /// that is not there, the photographs, or without a result an opened mesh's own colours.
    Quantity quantity() const;
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
    void setHovered(std::optional<PickedVertex> vertex) {
        if (std::exchange(hovered_, vertex) != vertex) Q_EMIT hoveredChanged();
    }
    void setMarked(std::optional<PickedVertex> vertex) {
        if (std::exchange(marked_, vertex) != vertex) Q_EMIT markedChanged();
    }

    /// The points between which a distance is measured: none, the first, or both.
    const std::vector<PickedVertex>& distanceEnds() const { return distanceEnds_; }
    void setDistanceEnds(std::vector<PickedVertex> ends) {
        if (std::exchange(distanceEnds_, ends) != ends) Q_EMIT distanceEndsChanged();
    }

    /// While a key is held: the two meshes have swapped panes, the cameras have not.
    bool blinking() const { return blinking_; }
    void setBlinking(bool blinking) {
        if (std::exchange(blinking_, blinking) != blinking) Q_EMIT blinkingChanged();
    }

  Q_SIGNALS:
    void resultChanged();
    void runChanged();   ///< a reconstruction began, has a coarse mesh, or ended
    void runAdvanced();  ///< only the stage or progress of a run or fit
    void fitChoiceChanged();
    void fitAdvanced();
    void depthsAdvanced();
    void openedChanged();    ///< or the reference
    void measuresChanged();  ///< measured() has changed
    void lookChanged(const threefold::ui::Look& before);
    void hoveredChanged();
    void markedChanged();
    void distanceEndsChanged();
    void blinkingChanged();

  private:
    bool fittedOtherwise(const Result& result) const {
        return result.beforeFit && result.fit->asked != fitChoice_;
    }
    void forgetVertices();
    void forgetDepths();
    render::SceneMeshRef meshToFit() const;

    ResultRef result_;
    RunState run_;
    FitChoice fitChoice_;
    ResultRef declined_;  // to be fitted
    render::SceneMeshRef fitSoFar_;
    std::vector<ViewDepths> depthsSoFar_;
    std::vector<OpenedMeshRef> opened_;  // null: closed
    OpenedMeshRef reference_;
    const ComparisonValues* comparisonValues_ = nullptr;
    MeasuredMeshes* measured_ = nullptr;
    bool showsAnotherItem_ = false;
    const PhotographPaint* photographs_ = nullptr;
    Look look_;
    std::optional<PickedVertex> hovered_;
    std::optional<PickedVertex> marked_;
    std::vector<PickedVertex> distanceEnds_;
    bool blinking_ = false;
};

}  // namespace threefold::ui
