#include "app/compare/sides.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/console/output.h"
#include "app/options/lists.h"
#include "app/options/model_options.h"
#include "app/options/open_network.h"
#include "engine/error.h"
#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/journal/journal.h"
#include "engine/evaluation/list/load_entry.h"
#include "engine/order_statistics.h"
#include "engine/profile/stopwatch.h"
#include "engine/sample_steps/measure_sample.h"
#include "engine/text.h"

namespace threefold {
namespace {

namespace fs = std::filesystem;

/// Back end that `word` names before a colon, as in "cpu:bfloat16"; null if `word` names none.
const BackendKind* backendFromWord(const std::string& word) {
    return backendKindFromName(split(word, ':').front());
}

ModelOptions optionsFromWord(const std::string& word, ModelOptions options) {
    options.backend = backendFromWord(word);
    const std::vector<std::string> parts = split(word, ':');
    for (const std::string& part : std::span(parts).subspan(1)) {
        if ((part == "library" || part == "fused") && options.backend->usesGpu)
            options.gpu.libraryKernels = part == "library";
        else
            options.precision = precisionFromName(part);
    }
    return options;
}

/// Fraction of processor time in use, measured over a fifth of a second.
double busyFraction() {
    const auto read = [] {
        std::ifstream file("/proc/stat");
        std::string cpu;
        std::array<double, 8> ticks{};  // user, nice, system, idle, waiting for files, …
        file >> cpu;
        for (double& each : ticks) file >> each;
        return std::pair(std::reduce(ticks.begin(), ticks.end()), ticks[3] + ticks[4]);
    };
    const auto before = read();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto after = read();
    const double total = after.first - before.first;
    return total > 0 ? 1 - (after.second - before.second) / total : 0;
}

/// State of one side while the list runs.
struct RunningSide {
    const ComparedSide* side;
    ComparedRun* comparedRun;
    std::shared_ptr<NetworkService> network;  ///< null: meshes of another program
    std::shared_ptr<std::map<std::string, Mesh>> meshes;
    std::vector<Reconstruction> repetitions = {};  ///< of the current sample
    std::string error = {};                        ///< why the sample has no repetitions
    std::vector<std::string> notes = {};           ///< on the meshes of another program
};

class SideRunner {
  public:
    SideRunner(const ComparedSamples& request, const std::stop_token& cancel) : request_(request) {
        measure_.cancel = cancel;
        measure_.evaluation = false;
        for (const Protocol protocol : request.protocols)
            measure_.protocols.push_back({protocol, kTau, false, cancel});
        list_ = readList(request.source, cancel);
        sources_.imageRoot = request.imageRoot.empty() ? list_.imageRoot : request.imageRoot;
        sources_.truthRoot = request.truthRoot;
        sources_.loadOptions.strictTruth = measure_.strictTruth = true;
        sources_.loadOptions.truthRequired = !request.truthRoot.empty();
    }

    void add(const ComparedSide& side, ComparedRun& run) {
        RunningSide running{&side, &run, nullptr, std::make_shared<std::map<std::string, Mesh>>()};
        RunChoices choices;
        choices.measures.protocols = request_.protocols;
        if (const auto* const options = std::get_if<ModelOptions>(&side.source)) {
            OpenedNetwork opened = openNetwork(withoutStepTimes(*options));
            run.evaluation.description =
                describeRun(list_, choices, opened.network->info(),
                            describeMachine(options->threads, opened.gpu ? &*opened.gpu : nullptr));
            running.network = std::move(opened.network);
            pendingWarmUpRuns_ =
                std::max(pendingWarmUpRuns_, run.evaluation.description.warmUpRuns);
        } else {
            run.evaluation.description.identity.measures.protocols = request_.protocols;
            run.evaluation.description.backendDescription = "meshes of another program";
        }
        run.readMesh = [meshes = running.meshes](const SampleRecord& record) {
            const auto found = meshes->find(record.name);
            return found == meshes->end() ? Mesh{} : found->second;
        };
        sides_.push_back(std::move(running));
    }

    void run() {
        ProgressLine line;
        for (const ListEntry& entry : list_.entries) {
            SampleRecord record;
            const LoadedSample loaded = load(entry, record);
            if (record.succeeded()) reconstruct(loaded);
            for (RunningSide& side : sides_) finish(side, loaded, record);
            if (!record.succeeded())
                line.writeLine(fmt::format("threefold: sample {}: {}", entry.position + 1,
                                           escapeControls(record.error)));
            if (line.isDue())
                line.update(fmt::format("{}/{} samples", entry.position + 1, list_.entries.size()));
        }
        for (const RunningSide& side : sides_)
            if (!side.notes.empty())
                spdlog::warn("{}{}", side.notes.front(),
                             side.notes.size() == 1
                                 ? ""
                                 : fmt::format(" (the first of {} such notes)", side.notes.size()));
    }

  private:
    LoadedSample load(const ListEntry& entry, SampleRecord& record) {
        try {
            return loadEntry(
                entry, sources_, record, [this](const Sample& sample, SampleRecord& named) {
                    named.name = sample.name();
                    if (!names_.insert(named.name).second)
                        throw InputError({named.name, "", "two lines of the list name this sample",
                                          "Remove one of them."});
                });
        } catch (const Error& error) {
            record.error = error.what();
            return {};
        }
    }

    /// Runs the sample on all networks in turn, so that a machine that slows down affects all
    /// sides.
    void reconstruct(const LoadedSample& loaded) {
        BatchOptions options;
        options.cancel = measure_.cancel;
        const auto reconstructOn = [&](RunningSide& side) {
            try {
                side.repetitions.push_back(side.network->withDevice(
                    [&](Backend& device) { return device.reconstruct(loaded.input, options); }));
            } catch (const InputError& error) {
                side.error = error.what();
            }
        };
        for (RunningSide& side : sides_) {
            side.repetitions.clear();
            side.error.clear();
        }
        for (int run = -std::exchange(pendingWarmUpRuns_, 0); run < request_.runs; ++run)
            for (RunningSide& side : sides_) {
                if (side.network && side.error.empty()) reconstructOn(side);
                if (run < 0) side.repetitions.clear();
            }
        // The next sample begins with the next side, so that no side always runs first.
        std::rotate(sides_.begin(), sides_.begin() + 1, sides_.end());
    }

    void finish(RunningSide& side, const LoadedSample& loaded, SampleRecord record) {
        if (record.succeeded()) record.error = side.error;
        if (record.succeeded()) {
            try {
                side.network ? measureRun(side, loaded, record) : measureMesh(side, loaded, record);
            } catch (const Error& error) {
                record.error = error.what();
            }
        }
        side.comparedRun->evaluation.records.push_back(std::move(record));
    }

    void measureRun(RunningSide& side, const LoadedSample& loaded, SampleRecord& record) const {
        MeasuredSample measured = measureSample({loaded, side.repetitions.front()}, measure_);
        record.scores = std::move(measured.scores);
        record.silhouettes = std::move(measured.silhouettes);
        const Reconstruction& reconstruction = measured.reconstruction.network;
        (*side.meshes)[record.name] = {reconstruction.result().vertices,
                                       reconstruction.faces(reconstruction.result())};
        std::vector<double> network;
        std::vector<double> preprocessing;
        std::map<RunStep, std::vector<double>> steps;
        for (const Reconstruction& run : side.repetitions) {
            double preprocess = 0;
            for (const StepTiming& timing : run.timings) {
                steps[timing.step].push_back(timing.milliseconds);
                if (timing.step == RunStep::preprocess) preprocess = timing.milliseconds;
            }
            network.push_back(run.milliseconds() - preprocess);
            preprocessing.push_back(preprocess);
        }
        record.times.network = quantile(network, 0.5).value_or(0);
        record.times.preprocess = quantile(preprocessing, 0.5).value_or(0);
        for (auto& [step, times] : steps)
            record.times.steps.push_back({step, quantile(times, 0.5).value_or(0)});
    }

    void measureMesh(RunningSide& side, const LoadedSample& loaded, SampleRecord& record) const {
        const fs::path& folder = std::get<MeshFolder>(side.side->source).path;
        Mesh mesh = readSampleMesh(folder, record.name, &side.notes);
        if (mesh.vertices.empty())
            throw InputError(
                {(folder / record.name).string(), "", "there is no mesh of this sample",
                 "Name each mesh file after its sample: NAME_predict.obj or NAME.obj."});
        for (const ScoreOptions& scoring : measure_.protocols) {
            if (loaded.truth.points.empty()) break;
            const Scores scores = PreparedTruth(scoredShapeOf(loaded.truth), scoring)
                                      .score({mesh.vertices, mesh.faces, {}});
            record.scores.emplace_back().add(kPublishedStageNames.back(), scores);
        }
        (*side.meshes)[record.name] = std::move(mesh);
    }

    const ComparedSamples& request_;
    MeasureOptions measure_;
    EvaluationList list_;
    EntryReadOptions sources_;
    std::set<std::string> names_;
    std::vector<RunningSide> sides_;
    int pendingWarmUpRuns_ = 0;  ///< warm-up runs of the next sample; 0 after the first sample
};

}  // namespace

ComparedSide parseSide(const std::string& word, const ModelOptions& defaults) {
    if (backendFromWord(word) != nullptr) return {word, optionsFromWord(word, defaults)};
    std::error_code error;
    if (fs::is_directory(word, error)) {
        if (fs::exists(fs::path(word) / kJournalName, error)) return {word, RunFolder{word}};
        return {word, MeshFolder{word}};
    }
    if (fs::is_regular_file(word, error)) {
        ModelOptions options = defaults;
        options.model = word;
        return {word, options};
    }
    throw UsageError(
        {word, "", "is neither a folder, a model file nor a back end",
         "Name a folder that `threefold eval` wrote, a folder of meshes, a model file, "
         "or a choice such as cpu:float32, cpu:bfloat16, cuda:float16, cuda:library."});
}

std::vector<ComparedRun> runSides(std::span<const ComparedSide> sides,
                                  const ComparedSamples& samples, const std::stop_token& cancel) {
    std::vector<ComparedRun> runs;
    for (const ComparedSide& side : sides) {
        const auto* const run = std::get_if<RunFolder>(&side.source);
        runs.push_back(run != nullptr ? readRun(run->path) : ComparedRun{side.name, {}, {}});
    }
    if (std::ranges::none_of(sides, &ComparedSide::needsList)) return runs;
    constexpr double kBusy = 0.1;
    if (const double busy = busyFraction(); busy > kBusy)
        spdlog::warn("other programs use {:.0f} % of the processors: they will lengthen the times",
                     100 * busy);
    SideRunner running(samples, cancel);
    for (std::size_t i = 0; i < sides.size(); ++i)
        if (sides[i].needsList()) running.add(sides[i], runs[i]);
    running.run();
    return runs;
}

}  // namespace threefold
