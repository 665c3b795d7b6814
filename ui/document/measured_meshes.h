#pragma once

#include <vector>

#include <QString>

#include "engine/metrics/scores.h"
#include "ui/document/background.h"
#include "ui/document/document.h"

namespace threefold::ui {

/// Scores, and F at sweepThresholds().
struct SweptScores : Scores {
    std::vector<FScore> curve;
};

/// A mesh of the document against its truth, under one protocol.
struct MeasuredMesh {
    MeshId id = MeshId::result;
    QString name;  ///< "coarse", or the opened file's
    /// Null: not known yet, or never: `problem` gives the reason.
    std::shared_ptr<const SweptScores> scores;
    QString problem;
};

/// Measures all meshes of the document, the opened one included, under the chosen protocol. The
/// network's meshes come measured by the published one; the rest is computed on the thread pool and
/// kept while mesh and truth live. A child of its document, which emits measuresChanged(). For the
/// window's thread.
class MeasuredMeshes : public QObject {
    Q_OBJECT

  public:
    explicit MeasuredMeshes(Document& document);

    Protocol protocol() const { return protocol_; }
    void setProtocol(Protocol protocol);

    /// Coarse, refined, hull, fitted and opened, as far as they are there; empty without a truth.
    std::vector<MeasuredMesh> meshes() const;
    /// The mesh of that id; without scores if there is none.
    MeasuredMesh mesh(MeshId id) const;
    /// Of any result's final mesh, the fitted or the refined one, against that result's truth;
    /// null: not yet, or never.
    std::shared_ptr<const SweptScores> finalScores(const Result& result);
    /// Some scores are still to come.
    bool busy() const;

    /// What the protocol compares, and what keeps a mesh from 100 % against itself. Empty without a
    /// truth, as the next.
    QString note() const;
    /// A line for each mesh that cannot be measured.
    QString problems() const;

  private:
    /// Forgotten with its meshes.
    struct Known {
        std::weak_ptr<const render::SceneMesh> mesh, truth;
        Protocol protocol;
        std::shared_ptr<const SweptScores> scores = nullptr;
        QString problem = {};
    };

    void follow();
    void ask();
    void ask(const render::SceneMeshRef& mesh, const render::SceneMeshRef& truth);
    std::shared_ptr<Known> find(const render::SceneMeshRef& mesh,
                                const render::SceneMeshRef& truth) const;
    render::SceneMeshRef meshOf(MeshId id) const;

    Document& document_;
    Protocol protocol_ = Protocol::published;
    std::vector<std::shared_ptr<Known>> known_;
};

/// A line for the names of the columns, then one for each mesh: its name, protocol, τ and how many
/// points stand for both sides, then its measures with the names and units of the files of an
/// evaluation. A measure that no mesh has is left out.
std::string measuresCsv(const std::vector<MeasuredMesh>& meshes);

}  // namespace threefold::ui
