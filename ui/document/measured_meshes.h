#pragma once

#include <map>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <QString>

#include "engine/measures/scores.h"
#include "ui/document/background.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// Scores, and the F-scores at fScoreThresholds().
struct ScoresWithCurve : Scores {
    std::vector<FScore> fScoreCurve;
};

using ScoresRef = std::shared_ptr<const ScoresWithCurve>;

struct ScoresPending {};  ///< being computed
/// There is no such mesh, or the second network's mesh is outdated (Document::isStale()).
struct ScoresWithheld {};
struct NotMeasurable {
    QString reason;
};
/// The scores of a mesh (not null), or why there are none.
using ScoresState = std::variant<ScoresPending, ScoresWithheld, NotMeasurable, ScoresRef>;

/// Scores of a mesh of the document against the truth, under one protocol.
struct MeasuredMesh {
    MeshId id = MeshId::result;
    QString name = {};  ///< meshLabel(), or the opened file's name
    ScoresState state = {};

    ScoresRef scores() const;  ///< null in any other state
    /// NotMeasurable::reason; empty in any other state.
    QString problem() const;
};

/// Measures all meshes of the document, opened ones included, under the chosen protocol. Results
/// include the published protocol's scores of their meshes; other scores are computed on the thread
/// pool and cached while mesh and truth live. A child of its document. GUI thread only.
class MeasuredMeshes : public QObject {
    Q_OBJECT

  public:
    explicit MeasuredMeshes(Document& document);

    /// The chosen protocol; without a choice, the published protocol, or the surface protocol for
    /// opened meshes without a result where all have faces, so that a mesh matches itself.
    Protocol protocol() const;
    void setProtocol(Protocol protocol);

    /// Scores of all meshes but the truth, opened ones last; empty without a truth.
    std::vector<MeasuredMesh> meshes() const;
    /// One mesh with its scores; without scores if the mesh does not exist.
    MeasuredMesh mesh(MeshId id) const;
    /// Scores of any result's final mesh, Result::finalMesh(), against the result's truth. Null
    /// without a truth, or if the mesh is not measurable (published protocol: not evaluated). Null
    /// also while the scores are not known; the first call then begins to compute them, and
    /// changed() follows.
    ScoresRef requestFinalScores(const Result& result);
    /// Whether scores of meshes() are still being computed; outdated meshes do not count.
    bool isBusy() const;

    /// Describes the points that the protocol compares, and why a mesh may stay below 100 % against
    /// itself. Empty without a truth.
    QString protocolNote() const;
    /// A line for each mesh that cannot be measured, and for each opened mesh whose size says that
    /// it is in another unit than the truth; empty without a truth.
    QString problemLines() const;

  Q_SIGNALS:
    void changed();  ///< the protocol, a mesh or its scores have changed

  private:
    /// A measurement, finished or not; dropped once mesh or truth is gone.
    struct Measurement {
        std::weak_ptr<const render::SceneMesh> mesh, truth;
        Protocol protocol;
        ScoresState state = {};
    };

    void updateMeasurements();
    void requestMissing();
    void requestScores(const render::SceneMeshRef& mesh, const render::SceneMeshRef& truth);
    std::shared_ptr<Measurement> find(const render::SceneMeshRef& mesh,
                                      const render::SceneMeshRef& truth) const;
    render::SceneMeshRef meshOf(MeshId id) const;
    /// suspiciousSizeRatio(), computed once for each mesh: it reads all vertices.
    std::optional<double> sizeRatio(const render::SceneMeshRef& mesh,
                                    const render::SceneMeshRef& truth) const;
    /// Whether the points of the truth are samples of its surface.
    bool isTruthSampled() const;
    QString publishedNote(const QString& points) const;
    QString surfaceNote(const QString& points) const;

    Document& document_;
    std::optional<Protocol> chosenProtocol_;
    std::vector<std::shared_ptr<Measurement>> measurements_;
    /// Known sizeRatio() of meshes to one truth.
    struct SizeRatios {
        std::weak_ptr<const render::SceneMesh> truth;
        std::map<std::weak_ptr<const render::SceneMesh>, std::optional<double>, std::owner_less<>>
            ofMesh;
    };
    mutable SizeRatios sizeRatios_;
};

/// CSV with a header line and a line for each mesh: name, protocol, τ, the numbers of points of
/// mesh and truth, then the measures with the names and units of evaluation files. Leaves out
/// measures that no mesh has.
std::string measuresCsv(const std::vector<MeasuredMesh>& meshes);

}  // namespace threefold::ui
