#include "engine/web_page/sample_result.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/metrics/measure_table.h"
#include "engine/metrics/surface_index.h"
#include "engine/metrics/truth_distances.h"
#include "engine/sample/data_set.h"
#include "engine/texturing/bake_texture.h"

namespace threefold {
namespace {

constexpr std::size_t kMaxPhotographs = 12;
constexpr const char* kHull = "hull";

/// "Chamfer, 10⁻⁴ object units²".
std::string headingOf(const Measure& measure) {
    return fmt::format("{}, {}{}", measure.label.empty() ? measure.title : measure.label,
                       measure.unit == Unit::squared ? "10⁻⁴ " : "", unitName(measure.unit));
}

std::string numberText(const Measure& measure, const std::optional<double>& value) {
    return value ? shownNumber(measure.unit, *value) : "–";
}

/// Builds the page's data of one sample.
class SamplePage {
  public:
    SamplePage(const MeasuredSample& measured, const WebSampleOptions& options,
               std::vector<std::string>& notes)
        : measured_(measured), options_(options), notes_(notes) {
        const GroundTruth& truth = measured.loaded.truth;
        if (measured.evaluation && !truth.points.empty()) {
            truth_.emplace(truth);
            const PreparedTruth prepared(shapeOf(truth), {});
            scores_ = sampleScores(measured.reconstruction, prepared);
            if (const PhotographSurface* surface = fittedSurface(); surface && surface->depthUsed)
                scores_->add(kHull,
                             prepared.score({surface->hull.vertices, surface->hull.faces, {}}));
        }
        if (options.texture > 0)
            photographs_ = textureViews(sample(), photographNumbers(), notes, options.cancel);
    }

    WebResult make() {
        const Reconstruction& made = measured_.reconstruction;
        WebResult result;
        result.name = std::string(categoryName(sample().category));
        result.name += (result.name.empty() ? "" : " ") + sample().item;
        addPhotographs(result);
        for (const StageMesh* mesh : made.published())
            add(result, mesh->stage.name, mesh->vertices, made.faces(*mesh));
        if (const PhotographSurface* surface = fittedSurface(); surface && surface->depthUsed)
            add(result, kHull, surface->hull.vertices, surface->hull.faces);
        if (!made.fitted.empty())
            add(result, std::string(kFittedMesh), made.fitted, made.facesOfFitted());
        addTruth(result);
        result.note = webNote(measured_.loaded.views, measured_.silhouettes,
                              truth_ ? std::optional(kTau) : std::nullopt);
        return result;
    }

  private:
    const Sample& sample() const { return *measured_.loaded.sample; }
    Camera cameraOf(int view) const {
        return Camera::fromRow(sample().cameraRows.at(static_cast<std::size_t>(view)));
    }
    const PhotographSurface* fittedSurface() const {
        return measured_.fit && measured_.fit->surface ? &*measured_.fit->surface : nullptr;
    }

    /// The network's views, then the others of the fit.
    std::vector<int> photographNumbers() const {
        std::vector<int> views = measured_.loaded.views;
        if (!measured_.fit) return views;
        for (const int view : measured_.fit->views)
            if (std::ranges::find(views, view) == views.end()) views.push_back(view);
        return views;
    }

    void addPhotographs(WebResult& result) {
        std::vector<int> views = photographNumbers();
        views.resize(std::min(views.size(), kMaxPhotographs));
        for (const int view : views) {
            if (options_.cancel.stop_requested()) throw Cancelled();
            try {
                result.photographs.push_back(
                    {fmt::format("view {}", view), networkView(sample(), view), cameraOf(view)});
            } catch (const Error& error) {
                notes_.emplace_back(error.what());
            }
        }
    }

    Points inWorld(const Points& vertices) const {
        const Camera camera = cameraOf(measured_.loaded.views.front());
        Points world;
        world.reserve(vertices.size());
        for (const glm::vec3& vertex : vertices)
            world.emplace_back(camera.toWorld(glm::dvec3(vertex)));
        return world;
    }

    void add(WebResult& result, std::string name, const Points& vertices, const Faces& faces) {
        if (vertices.empty() || faces.empty()) return;
        WebMesh& mesh = result.meshes.emplace_back();
        mesh.name = std::move(name);
        mesh.mesh = {inWorld(vertices), faces};
        if (truth_) mesh.values = truth_->of(vertices);
        const auto silhouettes = meansOf(measured_.silhouettes, mesh.name);
        mesh.numbers = webNumbers(scores_ ? scores_->find(mesh.name) : nullptr,
                                  silhouettes ? &*silhouettes : nullptr);
        // As in the window, colours keep their meaning when a fit or its hull is added.
        mesh.leads = mesh.name != kHull && mesh.name != kFittedMesh;
        texture(mesh);
    }

    void texture(WebMesh& mesh) {
        if (options_.texture == 0) return;
        try {
            BakedTexture baked = bakeTexture(
                mesh.mesh, photographs_,
                {.side = options_.texture, .threads = options_.threads, .cancel = options_.cancel});
            mesh.texture = std::move(baked.picture);
            mesh.corners = std::move(baked.coordinates);
        } catch (const InputError& error) {
            notes_.push_back(fmt::format("{}: no texture: {}", mesh.name, error.what()));
        }
    }

    void addTruth(WebResult& result) {
        if (!truth_) return;
        WebMesh& mesh = result.meshes.emplace_back();
        mesh.name = "truth";
        mesh.mesh.vertices = inWorld(measured_.loaded.truth.points);
        mesh.leads = false;
        const bool isFitted = !measured_.reconstruction.fitted.empty();
        const auto meshOf = [&](const WebMesh& each) {
            return isFitted ? each.name == kFittedMesh : each.leads;
        };
        const auto last =
            std::ranges::find_if(result.meshes.rbegin(), result.meshes.rend(), meshOf);
        if (last != result.meshes.rend()) addMissing(mesh, *last, kTau);
    }

    const MeasuredSample& measured_;
    const WebSampleOptions& options_;
    std::vector<std::string>& notes_;
    std::optional<TruthDistances> truth_;
    std::optional<SampleScores> scores_;
    std::vector<TextureView> photographs_;
};

}  // namespace

std::vector<std::string> webMeasures() {
    std::vector<std::string> headings;
    for (const TruthMeasure& measure : truthMeasures())
        if (measure.places.page) headings.push_back(headingOf(measure));
    for (const SilhouetteMeasure& measure : silhouetteMeasures())
        headings.push_back(headingOf(measure));
    return headings;
}

std::vector<std::string> webNumbers(const Scores* scores, const SilhouetteMeans* silhouettes) {
    std::vector<std::string> numbers;
    for (const TruthMeasure& measure : truthMeasures())
        if (measure.places.page)
            numbers.push_back(
                numberText(measure, scores != nullptr ? measure.value(*scores) : std::nullopt));
    for (const SilhouetteMeasure& measure : silhouetteMeasures())
        numbers.push_back(numberText(
            measure, silhouettes != nullptr ? measure.value(*silhouettes) : std::nullopt));
    return numbers;
}

std::string webNote(std::span<const int> views, std::span<const ViewSilhouettes> silhouettes,
                    std::optional<double> tau) {
    const auto text = [](const std::vector<int>& numbers) {
        return fmt::format("{} {}", numbers.size() == 1 ? "view" : "views",
                           fmt::join(numbers, ", "));
    };
    std::vector<int> seen;
    for (const ViewSilhouettes& each : silhouettes)
        if (!each.meshes.empty()) seen.push_back(each.view);
    std::vector<std::string> parts;
    if (!views.empty()) parts.push_back("Input: " + text({views.begin(), views.end()}));
    if (!seen.empty()) parts.push_back("overlap and outlines: means of " + text(seen));
    if (tau)
        parts.push_back(
            fmt::format("τ = {:g} object units² of squared distance, a distance of {:.3g}", *tau,
                        std::sqrt(*tau)));
    return parts.empty() ? std::string() : fmt::format("{}.", fmt::join(parts, " · "));
}

void addMissing(WebMesh& truth, const WebMesh& mesh, double tau) {
    if (mesh.mesh.faces.empty()) return;
    const std::vector<double> distances =
        SurfaceIndex(mesh.mesh.vertices, mesh.mesh.faces).distances(truth.mesh.vertices);
    truth.values.assign(distances.begin(), distances.end());
    truth.missing = static_cast<float>(std::sqrt(tau));
    truth.missingText =
        fmt::format("farther than {:.3g} from the {} mesh", truth.missing, mesh.name);
}

WebResult webResultOf(const MeasuredSample& measured, const WebSampleOptions& options,
                      std::vector<std::string>& notes) {
    return SamplePage(measured, options, notes).make();
}

}  // namespace threefold
