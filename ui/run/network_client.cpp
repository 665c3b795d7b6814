#include "ui/run/network_client.h"

#include "engine/profile/stopwatch.h"
#include "engine/sample/sample_views.h"
#include "engine/sample/view_candidates.h"
#include "ui/document/background.h"
#include "ui/document/view_selection.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

NetworkDescription describe(const NetworkInfo& network) {
    const Model& model = *network.model;
    NetworkDescription info;
    info.description = QString::fromStdString(network.description);
    info.modelName = fileName(model.file);
    info.modelFile = model.file;
    info.unusedGpu = network.unusedGpu;
    info.modelHash = QString::fromStdString(model.hash);
    for (const auto& [key, value] : model.provenance) {
        info.provenance +=
            QString::fromStdString(key) + ": " + QString::fromStdString(value) + '\n';
    }
    return info;
}

ResultOrigin originOf(const NetworkInfo& network) {
    return {network.model->file.filename().string(),
            network.description + " · " + std::string(precisionName(network.precision))};
}

void checkCancelled(const std::stop_token& token) {
    if (token.stop_requested()) throw Cancelled();
}

/// currentErrorReport() of a stored exception.
std::optional<ErrorReport> problemOf(const std::exception_ptr& failure, std::string_view subject) {
    try {
        std::rethrow_exception(failure);
    } catch (...) {
        return currentErrorReport(subject);
    }
}

/// Runs a background task until the task ends, `access` must yield, or `cancel` requests a stop.
/// Throws Cancelled if the task is to run again.
void runBackground(const BackgroundTask::Run& run, const std::stop_token& cancel,
                   DeviceAccess& access) {
    if (cancel.stop_requested()) return;
    std::stop_source attempt;
    const auto stop = [&] { attempt.request_stop(); };
    const std::stop_callback onYield(access.yieldToken, stop), onCancel(cancel, stop);
    try {
        run(access.backend(), attempt.get_token());
    } catch (const Cancelled&) {
        if (!cancel.stop_requested()) throw;
    }
}

}  // namespace

NetworkClient::NetworkClient(NetworkOpener open, LogFunction log, Scheduler::Duration maxListWait) {
    NetworkServiceOptions options;
    options.maxListWait = maxListWait;
    options.inBackground = true;
    options.listener.log = std::move(log);
    options.listener.onOpened = [this](const NetworkInfo& info) {
        Q_EMIT networkReady(describe(info));
    };
    options.listener.onTakenOver = [this](const std::string& before, const NetworkInfo& info) {
        Q_EMIT networkReady(describe(info));
        Q_EMIT deviceReplaced(
            {before, "", "was lost; " + info.description + " has taken over",
             "Results stay correct, but take longer. Start Threefold again to try the "
             "GPU."});
    };
    service_ = std::make_shared<NetworkService>(std::move(open), std::move(options));
}

NetworkClient::~NetworkClient() {
    Q_EMIT closing();
    cancel();
    service_->close();
}

NetworkClient::Id NetworkClient::useNetwork(NetworkOpener open) {
    const Id number = ++lastNetwork_;
    service_->replaceDevices(std::move(open), [this, number](const std::exception_ptr& failure) {
        if (!failure) {
            Q_EMIT networkReplaced();
        } else if (const auto problem = problemOf(failure, "model")) {
            Q_EMIT networkRejected(*problem, number);
        }
    });
    return number;
}

NetworkClient::Id NetworkClient::post(Request request) {
    const std::scoped_lock lock(mutex_);
    newest_.request_stop();
    newest_ = {};
    const auto job = std::make_shared<Job>(Job{++lastId_, std::move(request), newest_});
    service_->post(
        {Urgency::now, [this, job](DeviceAccess& access) { run(*job, access); },
         [this, id = job->id](const std::exception_ptr& failure) { reportFailure(id, failure); }});
    return job->id;
}

void NetworkClient::cancel() {
    const std::scoped_lock lock(mutex_);
    newest_.request_stop();
}

void NetworkClient::postBackground(BackgroundTask task) {
    service_->post({Urgency::soon,
                    [run = std::move(task.run), cancel = std::move(task.cancel)](
                        DeviceAccess& access) { runBackground(run, cancel, access); },
                    [failed = std::move(task.failed)](const std::exception_ptr& failure) {
                        if (const auto problem = problemOf(failure, {})) failed(*problem);
                    }});
}

void NetworkClient::reportFailure(Id id, const std::exception_ptr& failure) {
    if (const auto problem = problemOf(failure, "reconstruction"))
        Q_EMIT failed(id, *problem);
    else
        Q_EMIT cancelled(id);
}

NetworkClient::FoundInput NetworkClient::findInput(const Request& request,
                                                   const std::stop_token& token) const {
    if (const auto* sample = std::get_if<SampleRef>(&request.input))
        return {*sample, request.views};
    const auto sample =
        std::make_shared<const Sample>(findSample(std::get<std::filesystem::path>(request.input)));
    if (!request.views.empty()) {
        requireViews(*sample, request.views);
        return {sample, startingViews(request.views, sample->viewCount())};
    }
    const auto read = [this](const Sample& from, int view) {
        return *viewCache_->prefetch(from, view);
    };
    return {sample, suggestedViews(*sample, read, token)};
}

void NetworkClient::run(Job& job, DeviceAccess& access) {
    const std::stop_token token = job.stop.get_token();
    checkCancelled(token);
    // Finds the input only in the first run; a request runs again after its device was lost.
    if (!job.input) {
        job.input = findInput(job.request, token);
        const Sample& sample = *job.input->sample;
        const bool isLocated = std::holds_alternative<std::filesystem::path>(job.request.input);
        if (isLocated && sample.photos && !sample.photos->warnings.empty()) {
            checkCancelled(token);
            Q_EMIT doubtfulSampleFound(job.id, job.input->sample, job.input->views);
            return;
        }
        Q_EMIT sampleFound(job.id, job.input->sample, job.input->views);
    }
    checkCancelled(token);
    Backend& device = access.backend();
    checkCancelled(token);

    Q_EMIT progressed(job.id, {RunStep::load, 0.0F});
    LoadedSample loaded = loadSample(job.input->sample, job.input->views,
                                     {.readView = [this](const Sample& from, int view) {
                                         return *viewCache_->read(from, view);
                                     }});
    ReconstructOptions options;
    options.cancel = token;
    options.onCoarseMesh = [&](const LoadedSample& sample, const Reconstruction& soFar) {
        Q_EMIT partialReady(job.id, makePartialResult(sample, soFar));
    };
    Stopwatch sinceReport;
    RunStep lastStep = RunStep::load;
    options.progress = [&](const Progress& progress) {
        // A queued signal every few microseconds would starve the window's event loop.
        constexpr double kMinIntervalMilliseconds = 25;
        if (progress.step == lastStep && sinceReport.milliseconds() < kMinIntervalMilliseconds)
            return;
        sinceReport = {};
        lastStep = progress.step;
        Q_EMIT progressed(job.id, progress);
    };
    ReconstructedSample reconstructed = reconstructSample(device, std::move(loaded), options);
    MeasuredSample measured =
        measureSample({std::move(reconstructed.loaded), std::move(reconstructed.reconstruction)},
                      {.silhouettes = false, .cancel = token}, &device.meshOperations());
    const ResultRef result = makeResult(std::move(measured), originOf(service_->info()));
    checkCancelled(token);
    Q_EMIT finished(job.id, result);
}

}  // namespace threefold::ui
