#pragma once

#include <cstddef>
#include <filesystem>

#include <QObject>

#include "engine/formats/meshes/mesh_files.h"
#include "engine/mesh.h"
#include "engine/progress.h"
#include "ui/results/look.h"
#include "ui/results/result.h"
#include "ui/style/window_words.h"

namespace threefold::ui {

/// A mesh or point cloud from the user's file, to compare with the network's meshes.
struct OpenedMesh {
    std::filesystem::path path;
    render::SceneMeshRef mesh;  ///< in ShapeNet's world space like the result's meshes
    /// Points to measure other meshes against; may be null.
    render::SceneMeshRef points = nullptr;
    /// MeshFile::origin, which `mesh` and `points` lack where no sample gives a world.
    glm::dvec3 origin{0.0};
    QString title = {};     ///< if not from a file: "Result · views 0, 6, 7"
    ResultRef result = {};  ///< if a second network made it from the shown result's input; or null
    /// MeshFile::scalars, values of `mesh`'s vertices; null: none.
    std::shared_ptr<const std::vector<VertexScalars>> scalars = nullptr;
    std::shared_ptr<const SurfaceIndex> surface = nullptr;  ///< of a reference with faces; or null

    QString name() const { return title.isEmpty() ? fileName(path) : title; }
};
using OpenedMeshRef = std::shared_ptr<const OpenedMesh>;

/// A vertex of one of the document's meshes.
struct PickedVertex {
    MeshId id = MeshId::result;
    std::size_t index = 0;
    bool operator==(const PickedVertex&) const = default;
};

class OpenedMeshValues;
class MeasuredMeshes;
class PhotographPaint;

/// Expected fractions of a fit's time for the steps it may run, in order; sum 1.
std::vector<double> fitStepFractions(const Result& result, const FitChoice& choice);

/// Connects each of these signals to `slot` of `receiver`.
template <class Sender, class Receiver, class Slot, class... Signals>
void connectAll(const Sender* sender, Receiver* receiver, Slot slot, Signals... signalled) {
    (QObject::connect(sender, signalled, receiver, slot), ...);
}

/// Steps of a fit in their order; hull and depth only if the fit starts from the photographs' hull.
enum class FitStep { mesh, hull, depth };

/// Progress of a fit.
struct FitProgress {
    FitStep step = FitStep::mesh;
    double fraction = 0;  ///< fraction of the step, 0…1
    bool operator==(const FitProgress&) const = default;
};

/// State of the computation for the window. During a reconstruction the document's result is the
/// previous one.
struct RunState {
    enum class Phase {
        idle,
        pending,    ///< reconstruction, before its files are found
        running,    ///< reconstruction
        fitting,    ///< fit of the document's result
        cancelled,  ///< idle; the last reconstruction or fit was cancelled
        failed,     ///< idle; the last reconstruction or fit failed
    };
    Phase phase = Phase::idle;
    SampleRef sample = {};  ///< of a reconstruction; null while it is pending
    std::vector<int> views = {};
    /// Partial result of the run (makePartialResult()); until there is one, that of the run that
    /// this one replaced. Null: none.
    ResultRef partial = {};
    /// Of each step: StepHistory::stepFractions(), or fitStepFractions().
    std::vector<double> stepFractions = {};
    std::optional<Progress> stage = {};  ///< none before the first stage
    FitProgress fit = {};
    double fraction = 0;  ///< progress of the run or fit, 0…1

    bool reconstructing() const { return phase == Phase::pending || phase == Phase::running; }
    bool active() const { return reconstructing() || phase == Phase::fitting; }
};

/// Model of the window: the data it shows and how. Commands change it, panels read it. Setters
/// signal only changes; those of a run signal every call. For the window's thread.
class Document : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    const ResultRef& result() const { return result_; }  ///< null before the first one
    void setResult(ResultRef result);

    /// The state of the computation, set by Reconstructor and FitMode only.
    const RunState& run() const { return run_; }
    void setRun(RunState run);
    void advanceRun(const Progress& stage);
    /// Ends the current run, then does as setResult().
    void endRun(ResultRef result);
    /// Updates the fit's progress; none: the fit is over. Ignored during a reconstruction.
    void advanceFit(const std::optional<FitProgress>& progress);
    /// Result that supplies mesh `id` and its values, or null: RunState::partial for the first mesh
    /// while a run has one, and for every mesh if the run is of another sample; else result().
    const ResultRef& shownResult(MeshId id) const;
    /// Whether a mesh is outdated: a run (or the second network's) will replace it, or the input
    /// shows another sample.
    bool stale(MeshId id) const;
    /// Whether the input now shows another sample than the result's.
    bool showsAnotherSample() const { return showsAnotherSample_; }
    void setShowsAnotherSample(bool another);

    const FitChoice& fitChoice() const { return fitChoice_; }
    /// Shows the result before its fit, for another fit, unless it was fitted by this choice.
    void setFitChoice(const FitChoice& choice);
    /// Whether a fit of the result is running or about to begin.
    bool awaitsFit() const { return fitSoFar_ != nullptr; }
    /// Leaves the result without a fit until the choice changes.
    void declineFit();
    /// The mesh so far while awaitsFit(), the network's at first; else null.
    const render::SceneMeshRef& fitSoFar() const { return fitSoFar_; }
    void setFitSoFar(render::SceneMeshRef mesh) {
        if (std::exchange(fitSoFar_, mesh) != mesh) Q_EMIT fitAdvanced();
    }

    /// The newest depth map of each view while a fit runs, by the sample's view numbers, not yet
    /// checked against those of other views. The final depth maps are in the result.
    const std::vector<ViewDepths>& depthsSoFar() const { return depthsSoFar_; }
    void addDepthsSoFar(std::vector<ViewDepths> maps);

    /// A mesh opened for comparison; null: none with this id. By default the first one takes the
    /// first pane instead of the network's first mesh, or is shown alone without a result.
    const OpenedMeshRef& opened(MeshId id) const;
    /// The first opened mesh, or null.
    const OpenedMeshRef& opened() const;
    void setOpened(MeshId id, OpenedMeshRef mesh);  ///< does nothing for kOwnMeshes
    /// Ids of the opened meshes.
    std::vector<MeshId> openedIds() const;
    /// kOwnMeshes, existing or not, and openedIds().
    std::vector<MeshId> meshIds() const;
    /// Reference file that opened meshes are measured against if there is no result.
    const OpenedMeshRef& reference() const { return reference_; }
    void setReference(OpenedMeshRef reference);
    /// Points to measure meshes against: of the result's truth; without a result, of the reference.
    /// May be null.
    render::SceneMeshRef truthPoints() const;
    /// The same points with the truth's surface, where it has one.
    TruthShape truthShape() const;

    /// Children that compute values of the document and register themselves; null: not registered.
    const OpenedMeshValues* openedMeshValues() const { return openedMeshValues_; }
    MeasuredMeshes* measured() const { return measured_; }
    const PhotographPaint* photographs() const { return photographs_; }
    void add(const OpenedMeshValues& values) { openedMeshValues_ = &values; }
    void add(MeasuredMeshes& measured) { measured_ = &measured; }
    void add(const PhotographPaint& photographs) { photographs_ = &photographs; }

    const Look& look() const { return look_; }
    /// The quantity that colours the surfaces, by the first rule that applies:
    /// 1. None for an overlay of meshes alone: each of the two has a colour of its own.
    /// 2. The look's, unless it is photographs or needs a missing truth.
    /// 3. With a result: photographs.
    /// 4. Without a result: an opened mesh's own colours, else the values in its file.
    /// 5. Photographs of meshes alone: none; else the look's.
    Quantity quantity() const;
    /// Whether two meshes or more lie over each other without a result.
    bool overlaysMeshesAlone() const;
    /// Names of the values in the files of opened meshes, each once.
    std::vector<std::string> fileValueNames() const;
    /// The file's values that Quantity::fileValues shows: those of Look::fileValues; if no opened
    /// mesh has them, `quality`, or else the first of fileValueNames(). Empty: there are none.
    std::string fileValues() const;
    void setLook(const Look& look);
    /// Applies `change` to a copy of the look, then sets the copy.
    template <class Change>
    void changeLook(const Change& change) {
        Look look = look_;
        change(look);
        setLook(look);
    }

    /// The vertex under the pointer, and the vertex marked by a command ("next worst").
    const std::optional<PickedVertex>& hovered() const { return hovered_; }
    const std::optional<PickedVertex>& marked() const { return marked_; }
    void setHovered(std::optional<PickedVertex> vertex) {
        if (std::exchange(hovered_, vertex) != vertex) Q_EMIT hoveredChanged();
    }
    void setMarked(std::optional<PickedVertex> vertex) {
        if (std::exchange(marked_, vertex) != vertex) Q_EMIT markedChanged();
    }

    /// The ends of the measured distance: none, the first, or both.
    const std::vector<PickedVertex>& distanceEnds() const { return distanceEnds_; }
    void setDistanceEnds(std::vector<PickedVertex> ends) {
        if (std::exchange(distanceEnds_, ends) != ends) Q_EMIT distanceEndsChanged();
    }

    /// Whether the blink key is held: the first two meshes swap panes, but not cameras.
    bool blinking() const { return blinking_; }
    void setBlinking(bool blinking) {
        if (std::exchange(blinking_, blinking) != blinking) Q_EMIT blinkingChanged();
    }

  Q_SIGNALS:
    void resultChanged();
    void runChanged();   ///< a reconstruction began, has a partial result, or ended; or
                         ///< showsAnotherSample() changed
    void runAdvanced();  ///< the stage or progress of a run or fit; a fit began or was cancelled
    void fitChoiceChanged();
    void fitAdvanced();
    void depthsAdvanced();
    void openedChanged();    ///< also: the reference changed
    void measuresChanged();  ///< measured() has changed
    void lookChanged(const threefold::ui::Look& before);
    void hoveredChanged();
    void markedChanged();
    void distanceEndsChanged();
    void blinkingChanged();

  private:
    // Whether the result's fit followed another choice than the current one.
    bool fittedOtherwise(const Result& result) const {
        return result.beforeFit && result.fit->requested != fitChoice_;
    }
    void forgetVertices();
    void forgetDepths();
    render::SceneMeshRef meshToFit() const;

    ResultRef result_;
    RunState run_;
    FitChoice fitChoice_;
    ResultRef declined_;  // not to be fitted
    render::SceneMeshRef fitSoFar_;
    std::vector<ViewDepths> depthsSoFar_;
    std::vector<OpenedMeshRef> opened_;  // null: closed
    OpenedMeshRef reference_;
    const OpenedMeshValues* openedMeshValues_ = nullptr;
    MeasuredMeshes* measured_ = nullptr;
    bool showsAnotherSample_ = false;
    const PhotographPaint* photographs_ = nullptr;
    Look look_;
    std::optional<PickedVertex> hovered_;
    std::optional<PickedVertex> marked_;
    std::vector<PickedVertex> distanceEnds_;
    bool blinking_ = false;
};

}  // namespace threefold::ui
