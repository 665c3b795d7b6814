#include "ui/run/fit_runner.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/panes/viewport.h"
#include "ui/results/quantities.h"
#include "ui/run/fit_exchange.h"
#include "ui/run/network_client.h"

namespace threefold::ui {
namespace {

const QString kOnKey = QStringLiteral("fit/on");
const QString kViewsKey = QStringLiteral("fit/views");
const QString kSourceKey = QStringLiteral("fit/from");

// Silhouettes of meshes fitted to 3, 8 and 24 photographs overlap the masks by 0.953, 0.963 and
// 0.968 (mean of 26 samples): more photographs cost time and gain little.
constexpr std::size_t kMaxFitPhotographs = 24;
constexpr int kRestDelay = 250;      // milliseconds without a new result in live update
constexpr int kPictureDelay = 2000;  // longest wait of a fit for the result's picture

FitRequest fitRequestOf(const Sample& sample, const FitChoice& choice) {
    FitRequest request{FitViews{choice.views}};
    request.source = choice.source;
    if (choice.views == FitViews::Kind::all && sample.photos)
        request.views = FitViews{FitViews::Kind::count, kMaxFitPhotographs};
    return request;
}

// Reads a named value; the first of `names` if the setting is missing or unknown.
template <class Names>
auto savedValue(const QSettings& settings, const QString& key, const Names& names) {
    const std::string saved = settings.value(key).toString().toStdString();
    const auto match =
        std::ranges::find(names, saved, [](const auto& entry) { return entry.first; });
    return (match == std::end(names) ? std::begin(names) : match)->second;
}

// Writes a named value only if it differs from the saved value; for the reason see writeLook().
template <class Names, class Value>
void saveValue(QSettings& settings, const QString& key, const Names& names, Value value) {
    if (savedValue(settings, key, names) == value) return;
    const auto match =
        std::ranges::find(names, value, [](const auto& entry) { return entry.second; });
    settings.setValue(key, QString::fromLatin1(match->first));
}

// The sources of the menu with their names in settings.
auto namedSources() {
    std::array<std::pair<std::string_view, FitSource>, kFitSourceMenu.size()> named;
    std::ranges::transform(kFitSourceMenu, named.begin(), [](FitSource source) {
        return std::pair(fitSourceName(source), source);
    });
    return named;
}

FitChoice savedChoice(const QSettings& settings) {
    return {settings.value(kOnKey, true).toBool(), savedValue(settings, kViewsKey, kFitKindNames),
            savedValue(settings, kSourceKey, namedSources())};
}

void checkIn(const QList<QAction*>& actions, const auto& names, auto value) {
    for (qsizetype i = 0; i < actions.size(); ++i) actions[i]->setChecked(names[i].second == value);
}

}  // namespace

/// One fit, shared by the GUI thread and the network's thread.
struct FitRunner::Run {
    std::stop_source stop;
    ResultRef result;
    FitChoice choice;
    FitExchange exchange;
};

FitRunner::FitRunner(const FeatureContext& context, Viewport& viewport, NetworkClient& client,
                     const LiveUpdate& liveUpdate)
    : QObject(&context.window),
      context_(context),
      client_(client),
      viewport_(viewport),
      liveUpdate_(liveUpdate),
      maskedViews_(std::make_shared<MaskedViewCache>()) {
    buildMenu();
    startTimer_.setSingleShot(true);
    connect(&startTimer_, &QTimer::timeout, this, &FitRunner::begin);
    connect(&viewport, &Viewport::presented, this, &FitRunner::onPresented);
    connectNetwork();
    connectDocument();
    context.document.fit.setChoice(savedChoice(context.settings));
    updateFromChoice();
}

void FitRunner::connectNetwork() {
    connect(context_.actions.cancel, &QAction::triggered, this, &FitRunner::cancel);
    connect(&context_.status, &StatusLine::cancelClicked, this, &FitRunner::cancel);
    // The next result gets its own fit; if no next result comes, the current result's fit starts
    // again.
    connect(&client_, &NetworkClient::sampleFound, this, [this] {
        if (run_) run_->stop.request_stop();
        run_.reset();
    });
    connectAll(&client_, this, &FitRunner::restartFit, &NetworkClient::cancelled,
               &NetworkClient::failed);
}

void FitRunner::connectDocument() {
    Document& document = context_.document;
    connect(&document.look, &LookModel::changed, this, [this] {
        if (run_) run_->exchange.setShownQuantity(context_.document.shownQuantity());
    });
    connect(&document.result, &ResultModel::changed, this, &FitRunner::restartFit);
    connect(&document.fit, &FitModel::choiceChanged, this, &FitRunner::updateFromChoice);
}

void FitRunner::onPresented(quint64 serial) {
    if (run_) run_->exchange.requestMesh();
    if (startTimer_.isActive() && !liveUpdate_.isOn() && serial >= resultSerial_)
        startTimer_.start(0);
}

FitRunner::~FitRunner() {
    if (run_) run_->stop.request_stop();
}

void FitRunner::buildMenu() {
    enableAction_ = context_.actions.add(
        {.menu = MenuSection::reconstruct,
         .text = tr("&Fit to photographs"),
         .keys = Qt::SHIFT | Qt::Key_F,
         .tooltip = tr("After the network, move its mesh until the silhouette agrees with the "
                       "photographs: a third mesh, fitted")},
        this, [this](bool on) { choose([on](FitChoice& choice) { choice.on = on; }); });
    enableAction_->setCheckable(true);
    auto* views = new QMenu(tr("&Photographs to fit to"), &context_.window);
    viewActions_ = exclusiveActions(
        {tr("&All views of the sample"), tr("&Chosen views")}, this, [this](std::size_t i) {
            choose([i](FitChoice& to) { to.views = kFitKindNames[i].second; });
        });
    views->addActions(viewActions_);
    auto* surface = new QMenu(tr("&Surface of the fit"), &context_.window);
    surface->setToolTipsVisible(true);
    sourceActions_ = exclusiveActions(
        {tr("&Automatic"), tr("&Depth from photographs"), tr("&Hull"), tr("&Network")}, this,
        [this](std::size_t i) { choose([i](FitChoice& to) { to.source = kFitSourceMenu[i]; }); });
    sourceActions_[0]->setToolTip(
        tr("The network or, with six photographs or more, their hull: whichever agrees better with "
           "photographs that the fit has not used. Depth moves the hull of photographs of your "
           "own"));
    sourceActions_[1]->setToolTip(
        tr("The hull, moved to where textured photographs agree: hollows that no outline shows"));
    sourceActions_[2]->setToolTip(
        tr("The photographs' hull, of any topology, with the hollows of the network's mesh"));
    sourceActions_[3]->setToolTip(tr("The network's mesh, moved"));
    surface->addActions(sourceActions_);
    for (QMenu* menu : {views, surface})
        context_.actions.menu(MenuSection::reconstruct).addMenu(menu);
}

void FitRunner::choose(const std::function<void(FitChoice&)>& change) {
    FitChoice choice = context_.document.fit.choice();
    change(choice);
    context_.document.fit.setChoice(choice);
}

void FitRunner::updateFromChoice() {
    const FitChoice& choice = context_.document.fit.choice();
    if (choice.on != savedChoice(context_.settings).on)
        context_.settings.setValue(kOnKey, choice.on);
    saveValue(context_.settings, kViewsKey, kFitKindNames, choice.views);
    saveValue(context_.settings, kSourceKey, namedSources(), choice.source);
    enableAction_->setChecked(choice.on);
    checkIn(viewActions_, kFitKindNames, choice.views);
    checkIn(sourceActions_, namedSources(), choice.source);
    restartFit();
}

void FitRunner::restartFit() {
    Document& document = context_.document;
    stop();
    if (!document.fit.isPending()) return;
    document.fit.setConvergingMesh(document.result.current()->mesh(MeshId::result));
    // A fit takes all cores, so it begins after the picture of the result is on the screen.
    resultSerial_ = viewport_.newestSerial();
    startTimer_.start(liveUpdate_.isOn() ? kRestDelay : viewport_.isUpToDate() ? 0 : kPictureDelay);
}

/// A fit on the network's thread, which reports to the GUI thread.
struct FitRunner::Job {
    FitRunner* owner;            ///< for the GUI thread only
    QPointer<QObject> receiver;  ///< of the calls: null once the runner is gone
    std::shared_ptr<Run> run;
    std::shared_ptr<MaskedViewCache> photographs;

    /// Calls `call(FitRunner&)` on the GUI thread, unless another run has replaced this run.
    template <class Call>
    void callOnGuiThread(Call call) const {
        ui::callOnGuiThread(receiver, [target = owner, mine = run, call = std::move(call)] {
            if (target->run_ == mine) call(*target);
        });
    }
    SampleFitOptions options(const ResolvedFit& resolved, const std::stop_token& stop) const;
    void addProgress(SampleFitOptions& options) const;
    /// Makes the fit. Throws the exceptions of fitSample().
    FittedSample fit(Backend& backend, const std::stop_token& stop) const;
    /// Shows the result with this fit.
    void end(FittedSample sample) const {
        const ResultRef result = withFit(run->result, run->choice, std::move(sample));
        callOnGuiThread(
            [ended = run, result](FitRunner& runner) { runner.onFitted(ended, result); });
    }
};

SampleFitOptions FitRunner::Job::options(const ResolvedFit& resolved,
                                         const std::stop_token& stop) const {
    const SampleRef& sample = run->result->sample;
    SampleFitOptions options;
    options.cancel = stop;
    const bool whole = needsPhotographs(*sample, resolved);
    options.readPhotos = [cache = photographs, sample, stop, whole](const std::vector<int>& views) {
        return cache->load(sample, views, whole, stop);
    };
    addProgress(options);
    return options;
}

void FitRunner::Job::addProgress(SampleFitOptions& options) const {
    options.progress = [job = *this](const Points& vertices, double fraction) {
        if (!job.run->exchange.takeMeshRequest()) return;
        const Result& result = *job.run->result;
        const Reconstruction& network = result.reconstruction.network;
        const auto mesh =
            meshInWorld(vertices, network.faces(network.result()), result.referenceCamera());
        // Caches the values on this thread, so that the GUI thread need not compute them.
        convergingValues(result, mesh, job.run->exchange.shownQuantity());
        job.callOnGuiThread([fraction, mesh](FitRunner& runner) {
            FitModel& fit = runner.context_.document.fit;
            fit.advance(FitProgress{FitPhase::mesh, fraction});
            fit.setConvergingMesh(mesh);
        });
    };
    options.hullProgress.onHull = [job = *this] {
        job.callOnGuiThread([](FitRunner& runner) {
            runner.context_.document.fit.advance(FitProgress{FitPhase::hull, 0});
        });
    };
    options.hullProgress.onDepth = [job = *this](double fraction) {
        if (!job.run->exchange.reportDepth(fraction)) return;
        job.callOnGuiThread([current = job.run](FitRunner& runner) {
            const double reached = current->exchange.takeDepth();
            runner.context_.document.fit.advance(FitProgress{FitPhase::depth, reached});
        });
    };
    options.hullProgress.onMap = [job = *this](const ViewDepthMap& map) {
        if (!job.run->exchange.addMap(map)) return;
        job.callOnGuiThread([current = job.run](FitRunner& runner) {
            runner.context_.document.fit.addIntermediateDepths(current->exchange.takeMaps());
        });
    };
}

FittedSample FitRunner::Job::fit(Backend& backend, const std::stop_token& stop) const {
    const Result& result = *run->result;
    LoadedSample loaded{result.sample, result.views};
    loaded.input.cameras = {result.referenceCamera()};
    // Not nullopt: the request names its views, so resolveFit() always returns a fit.
    const ResolvedFit resolved =
        resolveFit(*result.sample, fitRequestOf(*result.sample, run->choice)).value();
    return fitSample({std::move(loaded), result.reconstruction.network}, resolved,
                     options(resolved, stop), &backend.meshOperations());
}

void FitRunner::begin() {
    if (liveUpdate_.isBusy()) return startTimer_.start(kRestDelay);
    run_ = std::make_shared<Run>();
    run_->result = context_.document.result.current();
    run_->choice = context_.document.fit.choice();
    run_->exchange.setShownQuantity(context_.document.shownQuantity());
    context_.document.fit.advance(FitProgress{});
    const Job job{this, this, run_, maskedViews_};
    client_.postBackground(
        {[job](Backend& backend, const std::stop_token& stop) { job.end(job.fit(backend, stop)); },
         [job](const ErrorReport& report) { job.end({.fit = SampleFit{.problem = report}}); },
         run_->stop.get_token()});
}

void FitRunner::stop() {
    startTimer_.stop();
    if (!run_) return;
    run_->stop.request_stop();
    run_.reset();
    context_.document.fit.end();
}

void FitRunner::cancel() {
    if (!context_.document.fit.isPending() || context_.document.run.state().isReconstructing())
        return;
    stop();
    context_.document.fit.decline();
    context_.status.showMessage(tr("Fit cancelled; the network's mesh is kept"));
    Q_EMIT ended();
}

void FitRunner::onFitted(const std::shared_ptr<Run>& run, const ResultRef& result) {
    if (run != run_) return;
    stop();
    if (result->mesh(MeshId::fitted)) {
        Q_EMIT fitted(result);
        extendFramedPoints(*result);
    }
    // Moves the stage slider from the network's result to the fitted mesh; another stage, which the
    // user chose, stays. The slider moves first, so that no pane shows the network's result
    // between.
    if (result->mesh(MeshId::fitted) &&
        context_.document.look.current().morphPosition == kMorphResult)
        context_.document.look.change([](Look& look) { look.morphPosition = kMorphFitted; });
    context_.document.result.set(result);
    // The inspector gives the reason for the chosen mesh, too.
    const SampleFit& fit = result->fitted()->fit;
    context_.status.showMessage(fitSummary(fit, ChoiceReason::leftOut), fitSummary(fit));
    Q_EMIT ended();
}

void FitRunner::extendFramedPoints(const Result& result) {
    auto points = std::make_shared<Points>(*result.framedPoints);
    std::ranges::copy(result.mesh(MeshId::fitted)->vertices, std::back_inserter(*points));
    viewport_.setFramedPoints(FramedPoints(std::move(points)));
    if (!viewport_.camerasMovedByUser()) viewport_.frameMeshes();
}

FitRunner& addFitRunner(const FeatureContext& context, Viewport& viewport, NetworkClient& client,
                        const LiveUpdate& liveUpdate) {
    return *new FitRunner(context, viewport, client, liveUpdate);
}

}  // namespace threefold::ui
