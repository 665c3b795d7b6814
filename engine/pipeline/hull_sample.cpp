#include "engine/pipeline/hull_sample.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/formats/pictures/photograph.h"
#include "engine/metrics/silhouette.h"
#include "engine/pipeline/fit_sample.h"
#include "engine/pipeline/reconstruct_sample.h"

namespace threefold {

std::vector<HullView> hullViews(std::span<const FitView> photographs) {
    std::vector<HullView> views;
    for (const FitView& each : photographs)
        views.push_back({each.view, each.camera, each.mask ? &*each.mask : nullptr});
    return views;
}

SampleHull hullOf(const SampleJob& job, std::size_t vertices, int threads,
                  const std::stop_token& cancel) {
    const std::vector<int> all = viewsToFit(*job.sample, {}, {FitViews::Kind::all});
    std::shared_ptr<const std::vector<FitView>> photographs = job.fitPhotographs;
    if (!photographs || job.fitViews != all)
        photographs = std::make_shared<const std::vector<FitView>>(
            loadFitViews(*job.sample, all, readPhotograph, cancel));
    const std::vector<HullView> views = hullViews(*photographs);
    HullResult carved = visualHull(views, {vertices, cancel, threads});

    SampleHull hull;
    for (const HullView& view : views) {
        if (std::ranges::find(carved.leftOut, view.view) != carved.leftOut.end()) continue;
        const Mask drawn = maskOf(carved.mesh.vertices, carved.mesh.faces, Camera{}, view.camera,
                                  view.mask->width, view.mask->height);
        hull.overlap += maskOverlap(drawn, *view.mask);
        ++hull.views;
    }
    hull.overlap /= static_cast<double>(hull.views);
    const Camera& space = job.input.cameras.front();
    for (glm::vec3& vertex : carved.mesh.vertices)
        vertex = glm::vec3(space.toView(glm::dvec3(vertex)));
    if (!job.truth.points.empty()) hull.against = measure(carved.mesh.vertices, job.truth.points);
    hull.mesh = std::move(carved.mesh);
    hull.leftOut = std::move(carved.leftOut);
    hull.notes = std::move(carved.notes);
    hull.milliseconds = carved.milliseconds;
    return hull;
}

}  // namespace threefold
