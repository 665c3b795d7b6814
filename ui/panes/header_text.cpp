#include "ui/panes/header_text.h"

#include <algorithm>
#include <cmath>

#include "ui/panes/pane_arrangement.h"
#include "ui/panes/pane_header.h"
#include "ui/results/mesh_morph.h"
#include "ui/results/morphed_mesh.h"
#include "ui/results/quantities.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

// The stages between which the result's pane shows the mesh.
StageBlend shownBlend(const Document& document) {
    const float position = document.look.current().shownPosition();
    if (const ResultRef& result = document.run.shownResult(MeshId::result))
        return stageBlend(*result, position);
    const MeshMorph& morph = shownMorph(document);
    const float index = position + static_cast<float>(morph.resultIndex());
    const float clamped = std::clamp(index, 0.0F, static_cast<float>(morph.fittedIndex()));
    return {static_cast<std::size_t>(clamped), clamped - std::floor(clamped)};
}

// Name of a pane's content, even if there is none; pendingTitle() replaces it during a run.
QString nameOfContent(const Document& document, MeshId id) {
    if (id.isOpened()) return document.opened.find(id)->name();
    if (id == MeshId::result) return shownStageTitle(document);
    if (id == MeshId::textured)
        return PaneHeader::tr("%1, textured").arg(meshTitle(shownMorph(document), id));
    if (id == MeshId::fitted && document.fit.convergingMesh()) return PaneHeader::tr("Fitting…");
    if (id == MeshId::truth && !document.run.shownResult(id) && document.opened.reference())
        return document.opened.reference()->name();
    return meshTitle(shownMorph(document), id);
}

// Whether the header announces the mesh that is being computed, because the pane shows an outdated
// mesh or none.
bool isPending(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    return id != MeshId::photograph && document.run.state().isReconstructing() &&
           (!mesh || document.isStale(id));
}

// Whether the pane's quantity has values only at the network's vertices, and this mesh has others.
// The header must say so, as the legend gives the reason only if no mesh has values.
bool lacksNetworkVertices(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    const ResultRef& result = document.run.shownResult(id);
    return quantityInfo(paneQuantity(document, id)).ofFit != nullptr && result &&
           (mesh == result->mesh(MeshId::hull) ||
            (mesh == result->mesh(MeshId::fitted) && hasOwnFittedVertices(*result)));
}

QString titleOf(const Document& document, MeshId id, const render::SceneMeshRef& mesh) {
    const QString name = nameOfContent(document, id);
    if (id == MeshId::photograph) return name;
    if (id.isOpened() && document.isStale(id)) return name + QStringLiteral("…");
    if (isPending(document, id, mesh)) return pendingTitle(document, id);
    if (mesh)
        return lacksNetworkVertices(document, id, mesh) ? PaneHeader::tr("%1 · no values").arg(name)
                                                        : name;
    if (document.run.showsAnotherSample())
        return PaneHeader::tr("%1: not yet").arg(meshTitle(shownMorph(document), id));
    if (id == MeshId::fitted && document.fit.isDeclined())
        return PaneHeader::tr("Fit cancelled; see the refined mesh");
    if (id != MeshId::hull) return name;
    return document.fit.isPending() ? pendingTitle(document, id)
                                    : PaneHeader::tr("No hull beside the fitted mesh");
}

QString detailOf(const ShownDocument& shown, MeshId id, const render::SceneMeshRef& mesh) {
    const Document& document = shown.document;
    if (id.isOpened() && document.isStale(id)) return {};
    if (isPending(document, id, mesh))
        return id == MeshId::result || id == MeshId::firstPublished
                   ? PaneHeader::tr("%1 %").arg(qRound(100 * document.run.state().totalFraction()))
                   : QString();
    if (!mesh) return {};
    const QString size =
        (mesh->faces.empty() ? PaneHeader::tr("%1 points") : PaneHeader::tr("%1 v"))
            .arg(groupedCount(mesh->vertices.size()));
    return areColoursPending(shown, id, mesh) ? size + PaneHeader::tr(" · colouring…") : size;
}

QString noteOf(const ShownDocument& shown, MeshId id, const render::SceneMeshRef& mesh) {
    const Document& document = shown.document;
    if ((id.isOpened() && document.isStale(id)) || isPending(document, id, mesh)) return {};
    if (mesh && lacksNetworkVertices(document, id, mesh)) return surfaceValues(shown, id).reason;
    return id == MeshId::hull
               ? PaneHeader::tr("The photographs' hull, before depth from photographs moved it")
               : QString();
}

}  // namespace

const MeshMorph& shownMorph(const Document& document) {
    const ResultRef& result = document.run.shownResult(MeshId::result);
    return result ? result->morph : publishedMorph();
}

QString shownStageTitle(const Document& document) {
    const StageBlend blend = shownBlend(document);
    const std::vector<MorphStage>& stages = shownMorph(document).stages;
    const QString from = stageTitle(stages[blend.from]);
    return blend.fraction == 0
               ? from
               : PaneHeader::tr("%1 → %2").arg(from, stageTitle(stages[blend.from + 1]));
}

QString pendingTitle(const Document& document, MeshId id) {
    if (id == MeshId::truth) return PaneHeader::tr("Truth");
    if (id == MeshId::textured) return PaneHeader::tr("Textured: not yet");
    if (id == MeshId::fitted) return PaneHeader::tr("Fitted: not yet");
    if (id == MeshId::hull) return PaneHeader::tr("Hull: not yet");
    const StageBlend blend = shownBlend(document);
    const MeshMorph& morph = shownMorph(document);
    const std::size_t first = morph.firstPublishedIndex();
    return id == MeshId::firstPublished || blend.from < first || blend == StageBlend{first, 0}
               ? stageTitle(morph.stages[first]) + QStringLiteral("…")
               : PaneHeader::tr("Refining…");
}

HeaderText headerText(const ShownDocument& shown, MeshId id) {
    const render::SceneMeshRef mesh = meshOf(shown.document, id);
    HeaderText text;
    text.title = titleOf(shown.document, id, mesh);
    text.detail = detailOf(shown, id, mesh);
    text.note = noteOf(shown, id, mesh);
    return text;
}

}  // namespace threefold::ui
