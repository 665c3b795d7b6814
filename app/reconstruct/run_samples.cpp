#include "app/reconstruct/run_samples.h"

#include <chrono>
#include <memory>
#include <new>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/pipeline/reconstruct_sample.h"
#include "engine/profile/stopwatch.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Which space was detected, as a sentence for people; empty where it was given.
std::string detectedSpaceNote(const Sample& sample, const GroundTruth& truth) {
    if (sample.groundTruthSpace) return {};
    const std::string space = truth.space == MeshSpace::world
                                  ? "world space"
                                  : fmt::format("the space of view {}", sample.groundTruthView);
    return fmt::format(
        "{}: taken to be in {} (detected from its points); --gt-space overrides this",
        truth.source.string(), space);
}

/// Adds a span as long as its scope.
class Timed {
  public:
    Timed(Spans& spans, const Stopwatch& clock, std::string name, int run)
        : spans_(spans), clock_(clock), span_{std::move(name), {}, clock.milliseconds(), 0, run} {}
    ~Timed() {
        span_.duration = clock_.milliseconds() - span_.begin;
        spans_.push_back(std::move(span_));
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

  private:
    Spans& spans_;
    const Stopwatch& clock_;
    Span span_;
};

/// One run over a list: what all its samples share.
class Run {
  public:
    Run(Backend& backend, const ReconstructRequest& request, const fs::path& folder,
        const std::stop_token& cancel, Spans& spans)
        : backend_(backend), request_(request), folder_(folder), spans_(spans) {
        route_.cancel = cancel;
        route_.fit = request.fit;
        route_.fitThreads = request.model.threads;
        route_.step = [this](std::string_view step) -> std::shared_ptr<void> {
            return std::make_shared<Timed>(spans_, clock_, std::string(step), number_);
        };
    }

    /// Fills `result` as far as it gets. Throws Cancelled, and whatever made the sample fail.
    void reconstruct(const NamedSample& named, SampleResult& result) {
        ++number_;
        const Timed whole(spans_, clock_, result.given, number_);
        const auto sample = std::make_shared<const Sample>(findNamed(
            named,
            {{}, request_.imageRoot, request_.truthRoot, request_.truthSpace, request_.object}));
        result.views = request_.views.empty() ? defaultViews(*sample) : request_.views;
        if (sample->photos) result.notes = sample->photos->frame.notes;
        if (request_.views.empty() && result.views.size() < kPublishedViews.size())
            result.notes.push_back(viewCountWarning(result.views.size()) + '.');
        result.name = sample->name();
        result.source = sample->renderingFolder;
        claimName(result.name);
        SampleWork work{sample, result.views};
        reconstructSample(backend_, work, route_);
        const Reconstruction& meshes = work.reconstruction;
        const std::chrono::duration<double, std::milli> ago =
            std::chrono::steady_clock::now() - meshes.begun;
        const double begin = clock_.milliseconds() - ago.count();
        const Spans stages = stageSpans(meshes.timings, meshes.wallMilliseconds,
                                        laneOfBackend(backend_.description()), begin, number_);
        spans_.insert(spans_.end(), stages.begin(), stages.end());
        takeFit(work, result);
        takeMeasures(work, result);
        if (route_.cancel.stop_requested()) throw Cancelled();
        write(work, result);
    }

  private:
    /// Two samples of one name would overwrite each other's files.
    void claimName(const std::string& name) {
        if (names_.insert(name).second) return;
        throw InputError({name, "", "another sample of this run has the same name",
                          "Reconstruct it in a second run with another -o."});
    }

    static void takeFit(SampleWork& work, SampleResult& result) {
        if (work.fit) {
            result.fit = std::move(work.fit);
        } else if (work.fitProblem) {
            result.fitWarning = fmt::format("not fitted: {}", Error(*work.fitProblem).what());
        }
    }

    /// A truth that cannot be read costs the measures, not the meshes.
    void takeMeasures(SampleWork& work, SampleResult& result) const {
        result.timings = work.reconstruction.timings;
        result.networkMs = work.reconstruction.milliseconds();
        result.silhouettes = std::move(work.silhouettes);
        if (work.evaluation) {
            result.measures =
                SampleMeasures{work.sample->groundTruth, work.truth.space,
                               std::move(work.evaluation->coarse.measures),
                               std::move(work.evaluation->refined.measures), std::nullopt};
            if (work.evaluation->fitted)
                result.measures->fitted = std::move(work.evaluation->fitted->measures);
            result.warning = detectedSpaceNote(*work.sample, work.truth);
        } else if (work.truthProblem) {
            result.warning = fmt::format("not measured: {}", Error(*work.truthProblem).what());
        } else if (!request_.truthRoot.empty()) {
            result.warning = fmt::format("{}: no ground truth for {}: not measured",
                                         request_.truthRoot.string(), result.name);
        }
    }

    void write(const SampleWork& work, SampleResult& result) {
        const Timed writing(spans_, clock_, "write", number_);
        const auto mesh = [&](const Points& vertices) {
            Mesh made{vertices, work.reconstruction.faces()};
            if (request_.frame == "world") toWorld(work, made.vertices);
            return made;
        };
        if (request_.wantsCoarse()) writeAll(mesh(work.reconstruction.coarse), "_coarse", result);
        if (request_.wantsRefined()) {
            writeAll(mesh(work.reconstruction.refined), "_predict", result);
        }
        if (!work.reconstruction.fitted.empty())
            writeAll(mesh(work.reconstruction.fitted), "_fitted", result);
    }

    static void toWorld(const SampleWork& work, Points& vertices) {
        const auto first = static_cast<std::size_t>(work.views.front());
        const Camera camera = Camera::fromRow(work.sample->cameraRows.at(first));
        for (glm::vec3& vertex : vertices)
            vertex = glm::vec3(work.sample->toPhotoWorld(camera.toWorld(glm::dvec3(vertex))));
    }

    void writeAll(const Mesh& mesh, std::string_view ending, SampleResult& result) const {
        for (const std::string& format : request_.formats) {
            const fs::path file = folder_ / fmt::format("{}{}.{}", result.name, ending, format);
            writeMesh(file, meshFormatFromName(format).value(), mesh);
            result.files.push_back(file);
        }
    }

    Backend& backend_;
    const ReconstructRequest& request_;
    const fs::path& folder_;
    Spans& spans_;
    RouteOptions route_;
    const Stopwatch clock_;
    int number_ = 0;
    std::set<std::string> names_;
};

}  // namespace

std::vector<SampleResult> runSamples(Backend& backend, const ReconstructRequest& request,
                                     const fs::path& folder,
                                     const std::vector<NamedSample>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans) {
    Run run(backend, request, folder, cancel, spans);
    std::vector<SampleResult> results;
    for (const NamedSample& named : samples) {
        if (cancel.stop_requested()) break;
        SampleResult result;
        result.given = named.name;
        try {
            run.reconstruct(named, result);
        } catch (const Cancelled&) {
            break;
        } catch (const Error& error) {
            result.error = error.what();
        } catch (const std::bad_alloc&) {
            result.error = named.name + ": not enough memory. Use fewer views.";
        }
        report(result);
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace threefold
