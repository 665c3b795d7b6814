#include "engine/sample_steps/hull_sample.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "engine/fitting/overlap.h"
#include "engine/formats/pictures/photograph.h"
#include "engine/hull/visual_hull.h"
#include "engine/masks/contradicting_masks.h"
#include "engine/masks/masked_views.h"
#include "engine/measures/silhouette.h"
#include "engine/sample_steps/compare_view_masks.h"
#include "engine/views/left_out_view.h"

namespace threefold {

SampleHull hullOf(const LoadedSample& loaded, const std::optional<SampleFit>& fit,
                  std::size_t vertices, int threads, const std::stop_token& cancel) {
    const std::vector<int> views = viewsToFit(*loaded.sample, {}, {FitViews::Kind::all});
    std::shared_ptr<const std::vector<MaskedView>> photographs;
    if (fit && fit->views == views) photographs = fit->photographs;
    std::vector<std::string> repairs;  // empty if the fit's notes have them
    if (!photographs) {
        RepairedViews repaired =
            withRepairedMasks(*loaded.sample,
                              std::make_shared<const std::vector<MaskedView>>(
                                  loadMaskedViews(*loaded.sample, views, readViewPhoto, cancel)),
                              threads, cancel);
        photographs = std::move(repaired.views);
        repairs = std::move(repaired.notes);
    }
    HullResult result = visualHull(*photographs, {vertices, cancel, threads});

    SampleHull hull;
    std::vector<MaskedView> used;
    for (const MaskedView& view : *photographs)
        if (!isLeftOut(result.leftOut, view.view))
            used.push_back({view.view, view.camera, view.mask});
    hull.photoCount = used.size();
    hull.overlap =
        meanOverlap(compareViewMasks(result.mesh, kWorldSpace, used, threads, cancel, maskOverlap));
    const Camera& referenceCamera = loaded.input.cameras.front();
    for (glm::vec3& vertex : result.mesh.vertices)
        vertex = glm::vec3(referenceCamera.toCamera(glm::dvec3(vertex)));
    if (!loaded.truth.points.empty())
        hull.measures = chamferAndFScores(result.mesh.vertices, loaded.truth.points);
    hull.mesh = std::move(result.mesh);
    hull.leftOut = std::move(result.leftOut);
    hull.notes = std::move(repairs);
    std::ranges::move(result.notes, std::back_inserter(hull.notes));
    hull.milliseconds = result.milliseconds;
    return hull;
}

}  // namespace threefold
