#include "engine/web_page/sample_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/geometry/surface_index.h"
#include "engine/geometry/surface_samples.h"
#include "engine/measures/measure_table.h"
#include "engine/measures/truth_distances.h"
#include "engine/sample/data_set.h"
#include "engine/sample/sample_views.h"
#include "engine/sample_steps/texture_views.h"
#include "engine/texturing/bake_texture.h"

namespace threefold {
namespace {

constexpr std::size_t kMaxPhotographs = 24;
constexpr const char* kHull = "hull";
/// Keys of the measures that a page has under the surface protocol as well.
constexpr std::array<std::string_view, 2> kSurfaceMeasures = {"chamfer", "f_tau"};

/// Heading of a measure: "Chamfer ↓, 10⁻⁴ object units²". The phrase `points` follows the measure's
/// name.
std::string headingOf(const MeasureDescription& measure, std::string_view points = {}) {
    return fmt::format("{}{} {}, {}{}", measure.shortTitle(), points,
                       measure.better == BetterDirection::lower ? "↓" : "↑",
                       measure.unit == Unit::squaredDistance ? "10⁻⁴ " : "",
                       unitName(measure.unit));
}

WebNumber numberOf(const MeasureDescription& measure, const std::optional<double>& value) {
    return value ? WebNumber{shownNumber(measure.unit, *value), value} : WebNumber();
}

/// Scores of a page's meshes under one protocol.
struct ProtocolScores {
    SampleScores meshes;              ///< scores of the network's meshes and of the fitted mesh
    std::optional<Scores> hull = {};  ///< scores of the hull that the page shows, if any

    /// The scores of a mesh of the page; null if there are none.
    const Scores* find(std::string_view mesh) const {
        return mesh == kHull ? (hull ? &*hull : nullptr) : meshes.find(mesh);
    }
};

/// The hull of the fit; null if there is none.
const HullFit* hullFitOf(const MeasuredSample& measured) {
    const auto& fit = measured.fit;
    return fit && fit->hullFit ? &*fit->hullFit : nullptr;
}

ProtocolScores protocolScoresOf(const MeasuredSample& measured, Protocol protocol) {
    const PreparedTruth prepared(scoredShapeOf(measured.loaded.truth), {.protocol = protocol});
    ProtocolScores scores{sampleScores(measured.reconstruction, prepared)};
    if (const HullFit* fit = hullFitOf(measured); fit && fit->depthUsed())
        scores.hull = prepared.score({fit->hull.vertices, fit->hull.faces, {}});
    return scores;
}

/// A sample's truth, and the scores of its meshes.
struct ScoredTruth {
    TruthDistances distances;
    ProtocolScores published;
    ProtocolScores surface;
};

/// Scores a sample; nullopt without truth points, or if the sample was not compared with the truth.
std::optional<ScoredTruth> scoredTruthOf(const MeasuredSample& measured) {
    const GroundTruth& truth = measured.loaded.truth;
    if (!measured.evaluation || truth.points.empty()) return std::nullopt;
    return ScoredTruth{TruthDistances(truth), protocolScoresOf(measured, Protocol::published),
                       protocolScoresOf(measured, Protocol::surface)};
}

/// The network's views, then the other views of the fit.
std::vector<int> photographNumbersOf(const MeasuredSample& measured) {
    std::vector<int> views = measured.loaded.views;
    if (!measured.fit) return views;
    for (const int view : measured.fit->views)
        if (std::ranges::find(views, view) == views.end()) views.push_back(view);
    return views;
}

/// Builds the page's data of one sample.
class WebResultBuilder {
  public:
    /// `photographs`: for textures; empty if no textures are requested.
    WebResultBuilder(const MeasuredSample& measured, const std::optional<ScoredTruth>& truth,
                     std::vector<TextureView> photographs, const WebSampleOptions& options,
                     std::vector<std::string>& notes)
        : measured_(measured),
          truth_(truth),
          photographs_(std::move(photographs)),
          options_(options),
          notes_(notes) {}

    WebResult make() {
        const FittedReconstruction& reconstruction = measured_.reconstruction;
        WebResult result;
        result.name = std::string(categoryName(sample().category));
        result.name += (result.name.empty() ? "" : " ") + sample().id;
        addPhotographs(result);
        for (const StageMesh* mesh : reconstruction.network.published())
            add(result, mesh->stage.name, mesh->vertices, reconstruction.network.faces(*mesh));
        if (const HullFit* fit = hullFitOf(measured_); fit && fit->depthUsed())
            add(result, kHull, fit->hull.vertices, fit->hull.faces);
        if (const auto& fitted = reconstruction.fitted)
            add(result, std::string(kFittedMesh), fitted->vertices, fitted->faces);
        addTruth(result);
        const std::vector<int> used = viewsUsedByFit();
        result.note = webNote(
            {.input = measured_.loaded.views, .fitted = used, .silhouettes = measured_.silhouettes},
            truth_ ? std::optional(kTau) : std::nullopt);
        return result;
    }

  private:
    const Sample& sample() const { return *measured_.loaded.sample; }
    Camera cameraOf(int view) const {
        return Camera::fromRow(sample().cameraRows.at(static_cast<std::size_t>(view)));
    }

    /// Views of the fit, without the views that it left out; empty without a fit, and for a failed
    /// or discarded fit.
    std::vector<int> viewsUsedByFit() const {
        if (!measured_.fit || !measured_.fit->result || measured_.fit->result->isDiscarded)
            return {};
        return measured_.fit->result->usedViews();
    }

    void addPhotographs(WebResult& result) {
        std::vector<int> views = photographNumbersOf(measured_);
        views.resize(std::min(views.size(), kMaxPhotographs));
        for (const int view : views) {
            if (options_.cancel.stop_requested()) throw Cancelled();
            try {
                const bool isInput =
                    std::ranges::find(measured_.loaded.views, view) != measured_.loaded.views.end();
                result.photographs.push_back({fmt::format("view {}", view),
                                              readNetworkImage(sample(), view), cameraOf(view),
                                              isInput});
            } catch (const Error& error) {
                notes_.emplace_back(error.what());
            }
        }
    }

    Camera referenceCamera() const { return cameraOf(measured_.loaded.views.front()); }

    void add(WebResult& result, std::string name, const Points& vertices, const Faces& faces) {
        if (vertices.empty() || faces.empty()) return;
        WebMesh& mesh = result.meshes.emplace_back();
        mesh.name = std::move(name);
        mesh.mesh = {worldPoints(vertices, referenceCamera()), faces};
        if (truth_) mesh.values = truth_->distances.distancesOf(vertices);
        const auto silhouettes = meansOf(measured_.silhouettes, mesh.name);
        mesh.numbers =
            webNumbers({.truthScores = truth_ ? truth_->published.find(mesh.name) : nullptr,
                        .surfaceScores = truth_ ? truth_->surface.find(mesh.name) : nullptr,
                        .silhouettes = silhouettes ? &*silhouettes : nullptr});
        if (const std::size_t used = viewsUsedByFit().size(); used > 0 && mesh.name == kFittedMesh)
            mesh.caption = fitCaption(used);
        // As in the window, colours keep their meaning when a fit or its hull is added.
        mesh.definesViewAndRange = mesh.name != kHull && mesh.name != kFittedMesh;
        texture(mesh);
    }

    void texture(WebMesh& mesh) {
        if (options_.textureSide == 0) return;
        try {
            BakedTexture baked = bakeTexture(mesh.mesh, photographs_,
                                             {.side = options_.textureSide,
                                              .threads = options_.threads,
                                              .cancel = options_.cancel});
            mesh.texture = std::move(baked.picture);
            mesh.textureCoordinates = std::move(baked.textureCoordinates);
        } catch (const InputError& error) {
            notes_.push_back(fmt::format("{}: no texture: {}", mesh.name, error.what()));
        }
    }

    void addTruth(WebResult& result) {
        if (!truth_) return;
        const bool isFitted = measured_.reconstruction.fitted.has_value();
        const auto isCompared = [&](const WebMesh& mesh) {
            return isFitted ? mesh.name == kFittedMesh : mesh.definesViewAndRange;
        };
        const auto compared =
            std::ranges::find_if(result.meshes.rbegin(), result.meshes.rend(), isCompared);
        result.meshes.push_back(webTruth(measured_.loaded.truth, referenceCamera(),
                                         compared != result.meshes.rend() ? &*compared : nullptr,
                                         kTau));
    }

    const MeasuredSample& measured_;
    const std::optional<ScoredTruth>& truth_;
    const std::vector<TextureView> photographs_;
    const WebSampleOptions& options_;
    std::vector<std::string>& notes_;
};

}  // namespace

std::vector<WebMeasure> webMeasures() {
    std::vector<WebMeasure> measures;
    const auto add = [&](const MeasureDescription& measure, std::string_view points = {}) {
        measures.push_back({headingOf(measure, points), measure.better});
    };
    for (const TruthMeasure& measure : truthMeasures())
        if (!measure.isDetail) add(measure);
    static_assert(kSurfaceSampleCount == 10'000);
    for (const std::string_view key : kSurfaceMeasures)
        add(truthMeasure(key), " of 10\u00a0000 points of the surface");
    for (const SilhouetteMeasure& measure : silhouetteMeasures()) add(measure);
    return measures;
}

std::vector<WebNumber> webNumbers(const WebScores& measured) {
    std::vector<WebNumber> numbers;
    const auto add = [&](const TruthMeasure& measure, const Scores* scores) {
        numbers.push_back(
            numberOf(measure, scores != nullptr ? measure.value(*scores) : std::nullopt));
    };
    for (const TruthMeasure& measure : truthMeasures())
        if (!measure.isDetail) add(measure, measured.truthScores);
    for (const std::string_view key : kSurfaceMeasures)
        add(truthMeasure(key), measured.surfaceScores);
    for (const SilhouetteMeasure& measure : silhouetteMeasures())
        numbers.push_back(numberOf(measure, measured.silhouettes != nullptr
                                                ? measure.value(*measured.silhouettes)
                                                : std::nullopt));
    return numbers;
}

std::string webNote(const WebViews& views, std::optional<double> tau) {
    const auto text = [](std::span<const int> numbers) {
        return fmt::format("{} {}", numbers.size() == 1 ? "view" : "views",
                           fmt::join(numbers, ", "));
    };
    std::vector<int> compared;
    for (const ViewSilhouetteScores& each : views.silhouettes)
        if (!each.meshes.empty()) compared.push_back(each.view);
    std::vector<std::string> parts;
    if (!views.input.empty()) parts.push_back("Input: " + text(views.input));
    if (!compared.empty()) {
        std::string means = "overlap and outlines: means of " + text(compared);
        const auto seen = std::ranges::count_if(compared, [&](int view) {
            return std::ranges::find(views.fitted, view) != views.fitted.end();
        });
        if (!views.fitted.empty())
            means += static_cast<std::size_t>(seen) == compared.size()
                         ? ", which the fit has seen"
                         : fmt::format(", of which the fit has seen {}",
                                       seen == 0 ? std::string("none") : fmt::to_string(seen));
        parts.push_back(std::move(means));
    }
    if (tau)
        parts.push_back(
            fmt::format("τ = {:g} object units² of squared distance, a distance of {:.3g}", *tau,
                        std::sqrt(*tau)));
    return parts.empty() ? std::string() : fmt::format("{}.", fmt::join(parts, " · "));
}

std::string fitCaption(std::size_t photographs) {
    return fmt::format("fitted to {} photograph{}", photographs, photographs == 1 ? "" : "s");
}

Points worldPoints(std::span<const glm::vec3> points, const Camera& camera) {
    Points world;
    world.reserve(points.size());
    for (const glm::vec3& point : points) world.emplace_back(camera.toWorld(glm::dvec3(point)));
    return world;
}

void setDistancesToMesh(WebMesh& truth, const WebMesh& mesh, double tau) {
    if (mesh.mesh.faces.empty()) return;
    const std::vector<double> distances =
        SurfaceIndex(mesh.mesh.vertices, mesh.mesh.faces).distances(truth.mesh.vertices);
    truth.values.assign(distances.begin(), distances.end());
    truth.maxShownDistance = static_cast<float>(std::sqrt(tau));
    truth.beyondMaxText =
        fmt::format("farther than {:.3g} from the {} mesh", truth.maxShownDistance, mesh.name);
}

WebMesh webTruth(const GroundTruth& truth, const Camera& camera, const WebMesh* mesh, double tau) {
    WebMesh points;
    points.name = "truth";
    points.caption = fmt::format("ground truth, {} point{}", truth.points.size(),
                                 truth.points.size() == 1 ? "" : "s");
    points.mesh.vertices = worldPoints(truth.points, camera);
    points.definesViewAndRange = false;
    if (mesh != nullptr) setDistancesToMesh(points, *mesh, tau);
    return points;
}

WebResult webResultOfSample(const MeasuredSample& measured, const WebSampleOptions& options,
                            std::vector<std::string>& notes) {
    const std::optional<ScoredTruth> truth = scoredTruthOf(measured);
    std::vector<TextureView> photographs;
    if (options.textureSide > 0)
        photographs = textureViews(*measured.loaded.sample, photographNumbersOf(measured), notes,
                                   options.cancel);
    return WebResultBuilder(measured, truth, std::move(photographs), options, notes).make();
}

}  // namespace threefold
