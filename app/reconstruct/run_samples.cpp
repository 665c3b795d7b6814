#include "app/reconstruct/run_samples.h"

#include <new>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "engine/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/formats/meshes/mesh_writers.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample/ground_truth.h"
#include "engine/sample/sample.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Notes the span of its scope.
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
        : backend_(backend), request_(request), folder_(folder), cancel_(cancel), spans_(spans) {}

    /// Fills `result` as far as it gets. Throws Cancelled, and whatever made the sample fail.
    void reconstruct(SampleResult& result) {
        ++number_;
        const Timed whole = timed(result.given);
        Sample sample =
            findSample(result.given, request_.imageRoot, request_.truthRoot, request_.object);
        applyTruthSpace(request_.truthSpace, sample);
        views_ = request_.views.empty() ? defaultViews(sample) : request_.views;
        result.views = views_;
        if (sample.photos) result.notes = sample.photos->frame.notes;
        if (request_.views.empty() && views_.size() < kPublishedViews.size())
            result.notes.push_back(
                fmt::format("{} views: the model was trained with {}; expect a "
                            "rougher mesh.",
                            views_.size(), kPublishedViews.size()));
        result.name = sample.name();
        result.source = sample.renderingFolder;
        claimName(result.name);
        const Reconstruction meshes = reconstruct(sample, result);
        compare(sample, meshes, result);
        if (cancel_.stop_requested()) throw Cancelled();
        write(sample, meshes, result);
    }

  private:
    Timed timed(std::string name) { return {spans_, clock_, std::move(name), number_}; }

    /// Two samples of one name would overwrite each other's files.
    void claimName(const std::string& name) {
        if (names_.insert(name).second) return;
        throw InputError({name, "", "another sample of this run has the same name",
                          "Reconstruct it in a second run with another -o."});
    }

    Reconstruction reconstruct(const Sample& sample, SampleResult& result) {
        const double begin = clock_.milliseconds();
        const Stopwatch watch;
        const NetworkInput input = loadViews(sample, views_);
        StageTimings& timings = result.timings;
        timings.push_back({Stage::load, watch.milliseconds()});
        RunOptions options;
        options.cancel = cancel_;
        Reconstruction meshes = backend_.reconstruct(input, options);
        timings.insert(timings.end(), meshes.timings.begin(), meshes.timings.end());
        result.networkMs = meshes.milliseconds();
        const Spans stages = stageSpans(timings, meshes.wallMilliseconds,
                                        laneOfBackend(backend_.description()), begin, number_);
        spans_.insert(spans_.end(), stages.begin(), stages.end());
        const Timed comparing = timed("silhouettes");
        result.silhouettes = silhouettesOf(meshes, input, views_);
        return meshes;
    }

    /// A truth that cannot be read costs the measures, not the meshes.
    void compare(const Sample& sample, const Reconstruction& meshes, SampleResult& result) {
        if (sample.groundTruth.empty()) {
            if (!request_.truthRoot.empty()) {
                result.warning = fmt::format("{}: no ground truth for {}: not measured",
                                             request_.truthRoot.string(), result.name);
            }
            return;
        }
        const Timed measuring = timed("measure");
        try {
            const GroundTruth truth = loadGroundTruth(sample, views_.front());
            Evaluation evaluation = evaluate(meshes, truth);
            result.measures = SampleMeasures{sample.groundTruth, truth.space,
                                             std::move(evaluation.coarse.measures),
                                             std::move(evaluation.refined.measures)};
            result.warning = guessedSpaceNote(sample, truth);
        } catch (const Error& error) {
            result.warning = fmt::format("not measured: {}", error.what());
        }
    }

    void write(const Sample& sample, const Reconstruction& meshes, SampleResult& result) {
        const Timed writing = timed("write");
        const auto mesh = [&](const Points& vertices) {
            Mesh made{vertices, meshes.faces()};
            if (request_.frame == "world") toWorld(sample, made.vertices);
            return made;
        };
        if (request_.wantsCoarse()) writeAll(mesh(meshes.coarse), "_coarse", result);
        if (request_.wantsRefined()) writeAll(mesh(meshes.refined), "_predict", result);
    }

    void toWorld(const Sample& sample, Points& vertices) const {
        const auto first = static_cast<std::size_t>(views_.front());
        const Camera camera = Camera::fromRow(sample.cameraRows.at(first));
        for (glm::vec3& vertex : vertices)
            vertex = glm::vec3(sample.toPhotoWorld(camera.toWorld(glm::dvec3(vertex))));
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
    const std::stop_token& cancel_;
    Spans& spans_;
    const Stopwatch clock_;
    int number_ = 0;
    std::vector<int> views_;  ///< of the sample at hand
    std::set<std::string> names_;
};

}  // namespace

std::vector<SampleResult> runSamples(Backend& backend, const ReconstructRequest& request,
                                     const fs::path& folder,
                                     const std::vector<std::string>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans) {
    Run run(backend, request, folder, cancel, spans);
    std::vector<SampleResult> results;
    for (const std::string& given : samples) {
        if (cancel.stop_requested()) break;
        SampleResult result;
        result.given = given;
        try {
            run.reconstruct(result);
        } catch (const Cancelled&) {
            break;
        } catch (const Error& error) {
            result.error = error.what();
        } catch (const std::bad_alloc&) {
            result.error = given + ": not enough memory. Use fewer views.";
        }
        report(result);
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace threefold
