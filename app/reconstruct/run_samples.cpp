#include "app/reconstruct/run_samples.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/error.h"
#include "engine/formats/meshes/mesh_files.h"
#include "engine/pipeline/pipeline.h"
#include "engine/pipeline/sample_names.h"
#include "engine/sample/view_candidates.h"
#include "engine/texturing/bake_texture.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// The detected space as a sentence; empty if it was given.
std::string detectedSpaceNote(const Sample& sample, const GroundTruth& truth) {
    if (sample.groundTruthSpace) return {};
    const std::string space = truth.space == MeshSpace::world
                                  ? "world space"
                                  : fmt::format("the space of view {}", sample.groundTruthView);
    return fmt::format(
        "{}: taken to be in {} (detected from its points); --gt-space overrides this",
        truth.source.string(), space);
}

/// One run over a list: what all its samples share.
class Run {
  public:
    Run(NetworkService& network, const ReconstructRequest& request, const fs::path& folder,
        const std::vector<NamedSample>& samples, const std::stop_token& cancel)
        : network_(network),
          request_(request),
          folder_(folder),
          samples_(samples),
          device_(laneOfBackend(network.info().description) == LaneKind::gpu),
          fits_(mayFit(request.fit, samples)),
          // A device's fit is for the thread of its network.
          inTurn_(samples.size() == 1 || (device_ && fits_)),
          results_(samples.size()) {
        route_.cancel = cancel;
        route_.fit = request.fit;
        if (route_.fit && request.vertices > 0) route_.fit->vertices = request.vertices;
        route_.fitThreads = request.model.threads;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            results_[i].given = samples[i].name;
            names_.expect(i);
        }
    }

    std::vector<SampleResult> run(const ResultFunction& report, Spans& spans) {
        PipelineParts parts;
        parts.load = [this](SampleJob& job) { load(job); };
        parts.finish = [this](SampleJob& job, PartClock& clock) { finish(job, clock); };
        parts.store = [&](std::span<const SampleJob> jobs) { store(jobs, report); };
        PipelineOptions options;
        options.device = device_;
        options.cores = static_cast<std::size_t>(request_.model.threads);
        options.finishCancelled = !fits_;
        options.cancel = route_.cancel;
        options.spans = !request_.trace.empty();
        PipelineReport times;
        try {
            (inTurn_ ? runInTurn : runPipeline)(network_, samples_.size(), parts, options, &times);
        } catch (const Cancelled&) {
            keepStored(report);
        } catch (const Error& error) {
            for (; reported_ < results_.size(); ++reported_) {
                SampleResult& result = results_[reported_];
                if (!stored_.contains(reported_)) result.error = error.what();
                report(result);
            }
        }
        spans = std::move(times.spans);
        std::ranges::move(stages_, std::back_inserter(spans));
        if (inTurn_) addWholes(spans);
        return std::move(results_);
    }

  private:
    /// After a cancel: some behind a sample that was dropped may be done.
    void keepStored(const ResultFunction& report) {
        std::vector<SampleResult> kept;
        for (const std::size_t place : stored_) {
            if (place >= reported_) report(results_[place]);
            kept.push_back(std::move(results_[place]));
        }
        results_ = std::move(kept);
    }

    /// For each sample a span that holds all others of it.
    void addWholes(Spans& spans) const {
        std::map<int, Span> wholes;
        for (const Span& span : spans) {
            Span& whole = wholes.try_emplace(span.run, span).first->second;
            const double end = std::max(whole.end(), span.end());
            whole.begin = std::min(whole.begin, span.begin);
            whole.duration = end - whole.begin;
        }
        for (auto& [run, whole] : wholes) {
            whole.name = samples_.at(static_cast<std::size_t>(run) - 1).name;
            whole.lane = {};
            spans.push_back(std::move(whole));
        }
    }

    /// Fills `result` until the sample fails. Throws the cause.
    void load(SampleJob& job) {
        job.record.given = samples_[job.place].name;
        SampleResult& result = results_[job.place];
        SampleNames::Turn turn(names_, job.place);
        job.sample = std::make_shared<const Sample>(
            findNamed(samples_[job.place], request_.imageRoot, request_.truthRoot, request_.object,
                      request_.truthSpace));
        const Sample& sample = *job.sample;
        job.views = request_.views.empty() ? defaultViews(sample) : request_.views;
        result.views = job.views;
        if (sample.photos) result.notes = sample.photos->frame.notes;
        if (request_.views.empty() && result.views != kPublishedViews)
            result.notes.push_back(
                fmt::format("Views {} were chosen by their directions and silhouettes; --views "
                            "chooses others.",
                            fmt::join(result.views, ",")));
        if (request_.views.empty() && result.views.size() < kPublishedViews.size())
            result.notes.push_back(viewCountWarning(result.views.size()) + '.');
        result.name = sample.name();
        // ShapeNet's are often copied without the unused views.
        if (sample.category.empty()) result.missingImages = missingImages(sample);
        result.source = sample.renderingFolder;
        if (turn.claim(result.name))
            throw InputError({result.name, "", "another sample of this run has the same name",
                              "Reconstruct it in a second run with another -o."});
        readSample(job, route_);
    }

    void finish(SampleJob& job, PartClock& clock) {
        SampleResult& result = results_[job.place];
        Reconstruction& meshes = job.reconstruction;
        if (!request_.trace.empty()) {
            const LaneKind lane = device_   ? LaneKind::gpu
                                  : inTurn_ ? LaneKind::processor
                                            : LaneKind::network;
            const std::scoped_lock lock(mutex_);
            std::ranges::move(stageSpans(meshes.timings, meshes.wallMilliseconds, lane,
                                         job.networkBegin, static_cast<int>(job.place) + 1),
                              std::back_inserter(stages_));
        }
        meshes.timings.insert(meshes.timings.begin(), {Stage::load, job.loadMilliseconds});
        try {
            if (fits_) {
                const auto step = clock.step(PipelinePart::fit);
                fit(job);
                storeFit(job, result);
            }
            {
                const auto step = clock.step(PipelinePart::measure);
                measureSample(job, route_);
                storeMeasures(job, result);
            }
            if (request_.hull) carve(job, result);
            if (route_.cancel.stop_requested()) throw Cancelled();
            const auto step = clock.step(PipelinePart::write);
            write(job, result);
        } catch (const Error& error) {
            // One that cannot be written does not keep the others from their place.
            job.record.error = error.what();
        }
    }

    void fit(SampleJob& job) {
        if (!inTurn_) return fitSample(job, route_);
        network_.run(Urgency::now,
                     [&](DeviceTurn& turn) { fitSample(job, route_, &turn.device()); });
    }

    /// A hull that cannot be had costs no other mesh.
    void carve(const SampleJob& job, SampleResult& result) const {
        try {
            const std::size_t count = request_.vertices > 0 ? request_.vertices : kHullVertices;
            result.hull = hullOf(job, count, request_.model.threads, route_.cancel);
        } catch (const Error& error) {
            result.hullWarning = fmt::format("{}: no hull: {}", result.name, error.what());
        }
    }

    /// Reports in the order of the samples.
    void store(std::span<const SampleJob> jobs, const ResultFunction& report) {
        for (const SampleJob& job : jobs) {
            results_[job.place].error = job.record.error;
            stored_.insert(job.place);
        }
        for (; stored_.contains(reported_); ++reported_) report(results_[reported_]);
    }

    void storeFit(SampleJob& job, SampleResult& result) const {
        if (job.fitAsked && isDefaultFit(*request_.fit))
            result.fitDefault = defaultFitNote(fmt::format("{} photographs", job.fitViews.size()),
                                               job.fitAsked->vertices);
        result.surface.from = surfaceFrom(job.surface);
        if (job.surface) {
            result.surface.depth = std::move(job.surface->depth);
            if (result.surface.depth) result.surface.depth->maps.clear();
            result.surface.depthProblem = std::move(job.surface->depthProblem);
        }
        if (job.fit)
            result.fit = std::move(job.fit);
        else if (job.fitProblem)
            result.fitWarning = fmt::format("not fitted: {}", Error(*job.fitProblem).what());
    }

    /// A truth that cannot be read costs the measures, not the meshes.
    void storeMeasures(SampleJob& job, SampleResult& result) const {
        result.timings = job.reconstruction.timings;
        result.networkMs = job.reconstruction.milliseconds();
        result.silhouettes = std::move(job.record.silhouettes);
        result.maskWarning = maskWarning(result);
        if (job.evaluation) {
            result.measures =
                SampleMeasures{job.sample->groundTruth, job.truth.space,
                               std::move(job.evaluation->coarse.measures),
                               std::move(job.evaluation->refined.measures), std::nullopt};
            if (job.evaluation->fitted)
                result.measures->fitted = std::move(job.evaluation->fitted->measures);
            result.warning = detectedSpaceNote(*job.sample, job.truth);
            for (const std::string& note : job.truth.notes)
                result.warning += (result.warning.empty() ? "" : "; ") + note;
        } else if (job.truthProblem) {
            result.warning = fmt::format("not measured: {}", Error(*job.truthProblem).what());
        } else if (!request_.truthRoot.empty()) {
            result.warning = fmt::format("{}: no ground truth for {}: not measured",
                                         request_.truthRoot.string(), result.name);
        }
    }

    /// The network was trained with objects on white.
    static std::string maskWarning(const SampleResult& result) {
        std::vector<int> without;
        for (const ViewSilhouettes& each : result.silhouettes)
            if (!each.refined) without.push_back(each.view);
        if (without.empty()) return {};
        return fmt::format(
            "{}: view{} {}: no mask, so that the background counts as object; remove the "
            "background for a usable mesh: --cutout, or transparent or white",
            result.name, without.size() == 1 ? "" : "s", fmt::join(without, ", "));
    }

    void write(const SampleJob& job, SampleResult& result) {
        std::vector<TextureView> photographs;
        if (request_.texture > 0)
            photographs =
                textureViews(*job.sample, viewsToFit(*job.sample, {}, {FitViews::Kind::all}),
                             result.notes, route_.cancel);
        const auto all = [&](const Points& vertices, const Faces& faces, std::string_view ending) {
            writeAll(job, photographs, {vertices, faces}, ending, result);
        };
        const Reconstruction& made = job.reconstruction;
        if (request_.wantsCoarse()) all(made.coarse, made.faces(), "_coarse");
        if (request_.wantsRefined()) all(made.refined, made.faces(), "_predict");
        if (!made.fitted.empty()) all(made.fitted, made.facesOfFitted(), "_fitted");
        if (result.hull) all(result.hull->mesh.vertices, result.hull->mesh.faces, "_hull");
    }

    /// A mesh that takes no texture is written without.
    std::optional<BakedTexture> bake(const Mesh& world, std::span<const TextureView> photographs,
                                     const std::string& name, SampleResult& result) const {
        if (request_.texture == 0) return std::nullopt;
        try {
            BakedTexture baked = bakeTexture(world, photographs,
                                             {.side = request_.texture,
                                              .evenExposure = !request_.textureAsTaken,
                                              .threads = request_.model.threads,
                                              .cancel = route_.cancel});
            const std::string note = exposureNote(baked.exposures);
            if (!note.empty()) result.notes.push_back(fmt::format("{}: {}", name, note));
            if (!baked.exposures.empty()) result.exposures.push_back({name, baked.exposures});
            return baked;
        } catch (const InputError& error) {
            result.textureWarning = fmt::format("{}: no texture: {}", name, error.what());
            return std::nullopt;
        }
    }

    void writeAll(const SampleJob& job, std::span<const TextureView> photographs, Mesh mesh,
                  std::string_view ending, SampleResult& result) const {
        const auto first = static_cast<std::size_t>(job.views.front());
        const Camera camera = Camera::fromRow(job.sample->cameraRows.at(first));
        Mesh world = mesh;
        for (glm::vec3& vertex : world.vertices)
            vertex = glm::vec3(camera.toWorld(glm::dvec3(vertex)));
        const std::string name = fmt::format("{}{}", result.name, ending);
        const auto baked = bake(world, photographs, name, result);
        VertexExtras extras;
        if (request_.frame == "world") {
            extras.origin = job.sample->photoOrigin();
            for (glm::vec3& vertex : mesh.vertices)
                vertex = glm::vec3(job.sample->toPhotoWorld(camera.toWorld(glm::dvec3(vertex))) -
                                   extras.origin);
            extras.zUp = job.sample->isPhotoWorldZUp();
        }
        SurfaceTexture texture;
        if (baked) texture = {baked->coordinates, &baked->picture, {}};
        extras.texture = baked ? &texture : nullptr;
        for (const std::string& format : request_.formats) {
            const fs::path file = folder_ / fmt::format("{}.{}", name, format);
            const MeshFormat as = meshFormatFromName(format).value();
            std::ranges::move(writeMesh(file, as, mesh, extras), std::back_inserter(result.files));
        }
        if (!baked || !request_.textureSeen) return;
        writePng(result.files.emplace_back(folder_ / (name + "_seen.png")), baked->seen);
    }

    NetworkService& network_;
    const ReconstructRequest& request_;
    const fs::path& folder_;
    const std::vector<NamedSample>& samples_;
    const bool device_;
    const bool fits_;    ///< a third stage of some sample at least
    const bool inTurn_;  ///< one sample after another, on this thread
    RouteOptions route_;
    SampleNames names_;
    std::vector<SampleResult> results_;  ///< of all samples, each filled in by its parts
    std::set<std::size_t> stored_;
    std::size_t reported_ = 0;
    std::mutex mutex_;
    Spans stages_;
};

}  // namespace

std::vector<SampleResult> runSamples(NetworkService& network, const ReconstructRequest& request,
                                     const fs::path& folder,
                                     const std::vector<NamedSample>& samples,
                                     const std::stop_token& cancel, const ResultFunction& report,
                                     Spans& spans) {
    return Run(network, request, folder, samples, cancel).run(report, spans);
}

}  // namespace threefold
