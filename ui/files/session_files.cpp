#include "ui/files/session_files.h"

#include <algorithm>
#include <exception>
#include <map>
#include <utility>

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>

#include "ui/document/input_model.h"
#include "ui/document/result_history.h"
#include "ui/files/file_kinds.h"
#include "ui/files/suggested_name.h"
#include "ui/panes/viewport.h"
#include "ui/run/network_menu.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"

namespace threefold::ui {

SessionFiles::SessionFiles(const FeatureContext& context, Viewport& viewport, OpenedFiles& files,
                           NetworkMenu& networks)
    : QObject(&context.window),
      context_(context),
      viewport_(viewport),
      files_(files),
      networks_(networks) {
    QAction* save = context_.actions.add(
        {.menu = MenuSection::fileSession,
         .text = tr("&Save session…"),
         .keys = QKeySequence::Save,
         .tooltip = tr("Save sample, views, cameras, opened files and look as one "
                       "file")});
    connect(save, &QAction::triggered, this, &SessionFiles::askForPath);
    QAction* last = context_.actions.add(
        {.menu = MenuSection::fileSession,
         .text = tr("Restore &last session"),
         .tooltip = tr("Restore what was shown when the window was last closed")});
    connect(last, &QAction::triggered, this, [this] { restore(lastFile()); });
    last->setEnabled(QFileInfo::exists(pathText(lastFile())));
    connect(&files_, &OpenedFiles::sessionRequested, this, &SessionFiles::restore);
    connect(&context_.document.result, &ResultModel::changed, this, &SessionFiles::applyCameras);
    connect(&context_.document.opened, &OpenedMeshes::changed, this, [this] {
        const std::size_t openedCount = context_.document.opened.ids().size();
        if (restoring_ && !restoring_->sample && openedCount == restoring_->opened.size())
            applyCameras();
    });
    // After a failure the number of opened meshes says nothing: meshes opened later are not the
    // session's.
    connect(&context_.opener, &SampleOpener::requestFailed, this, [this] {
        if (restoring_ && !restoring_->sample) restoring_.reset();
    });
    context_.window.installEventFilter(this);
}

std::filesystem::path SessionFiles::lastFile() const {
    const QString settings = context_.settings.fileName();
    return std::filesystem::path(settings.toStdString()).parent_path() / "last.threefold";
}

Session SessionFiles::current() const {
    Session session;
    session.sample = context_.input.sample();
    session.views = context_.input.selection().views();
    session.model = networks_.choice().model;
    session.look = context_.document.look.current();
    // Renumbers the opened meshes, since closed meshes leave gaps, and meshes without a file are
    // left out.
    std::map<MeshId, MeshId> renumbered;
    for (const OpenedMeshSource* each : files_.meshSources()) {
        if (each->file().empty()) continue;
        session.opened.push_back({each->file(), each->space()});
        renumbered[each->id()] = MeshId::opened(static_cast<std::uint32_t>(session.opened.size()));
    }
    std::vector<MeshId>& panes = session.look.panes;
    std::erase_if(panes, [&](MeshId id) { return id.isOpened() && !renumbered.contains(id); });
    for (MeshId& id : panes)
        if (id.isOpened()) id = renumbered.at(id);
    session.fit = context_.document.fit.choice();
    const PaneCameras& cameras = viewport_.cameras();
    session.camerasLinked = cameras.isLinked();
    for (std::size_t pane = 0; pane < kMaxPanes; ++pane)
        session.cameras.push_back(cameras.camera(pane));
    return session;
}

void SessionFiles::askForPath() {
    const InputState& input = context_.input.state();
    const Session session = current();
    const std::string nameWithoutSample =
        session.opened.empty() ? "session" : session.opened[0].file.stem().string();
    const std::string name =
        input.sample ? suggestedName(*input.sample, input.selection.views()) : nameWithoutSample;
    askForSavePath({.parent = context_.window,
                    .title = tr("Save the session"),
                    .filters = {tr("Sessions (*.threefold)")},
                    .remembered = {{context_.settings, QStringLiteral("files/sessionFolder")}},
                    .name = QString::fromStdString(name + ".threefold")},
                   *this,
                   [this](const std::filesystem::path& file, const QString&) { save(file); });
}

void SessionFiles::save(const std::filesystem::path& file) {
    inBackground(
        this, [file, session = current()] { writeSession(file, session); },
        [this, file] {
            context_.status.showSavedFiles({file}, omittedText());
            Q_EMIT files_.opened(file);
            Q_EMIT saved(pathText(file));
        },
        [this](const ErrorReport& report) { files_.tasks().reportFailure(report); }, file.string());
}

// A session names files. Results that are kept in memory, and meshes opened from these results,
// have no files.
QString SessionFiles::omittedText() const {
    const auto* history = context_.document.findChild<const ResultHistory*>();
    const qsizetype results =
        history == nullptr
            ? 0
            : std::ranges::count_if(history->entries(), [&](const HistoryEntry& entry) {
                  return entry.result != context_.document.result.current();
              });
    const qsizetype compared =
        std::ranges::count_if(files_.meshSources(), [&](const OpenedMeshSource* each) {
            return each->file().empty() && context_.document.opened.find(each->id());
        });
    QStringList parts;
    if (results > 0) parts << tr("%1 of the results").arg(results);
    if (compared > 0) parts << tr("%1 of the opened meshes").arg(compared);
    return parts.isEmpty()
               ? QString()
               : tr("without %1: export these to keep them").arg(parts.join(tr(" and ")));
}

void SessionFiles::restore(const std::filesystem::path& file) {
    inBackground(
        this, restoreTask_.restart(), [file] { return readSession(file); },
        [this, file](const Session& session) {
            if (!session.sample && session.opened.empty()) {
                files_.tasks().reportFailure({file.string(), "",
                                              "names neither a sample nor a mesh",
                                              "Save a session while something is shown."});
                return;
            }
            apply(session);
            if (file != lastFile()) Q_EMIT files_.opened(file);
        },
        [this](const ErrorReport& report) { files_.tasks().reportFailure(report); }, file.string());
}

void SessionFiles::apply(const Session& session) {
    context_.banner.hide();
    context_.document.look.set(session.look);
    if (session.model != networks_.choice().model) networks_.load(session.model);
    if (session.fit) context_.document.fit.setChoice(*session.fit);
    restoring_ = session;
    // If a file cannot be read, the mesh that was opened before stays.
    for (std::size_t i = 0; i < session.opened.size(); ++i)
        files_.meshSource(i).restore(session.opened[i].file, session.opened[i].space);
    for (std::size_t i = session.opened.size(); i < files_.meshSources().size(); ++i)
        if (files_.meshSource(i).isOfFile()) files_.meshSource(i).close();
    if (session.sample) {
        context_.input.setInput(session.sample, ViewSelection(session.views));
        context_.actions.reconstruct->setEnabled(true);
        context_.opener.reconstructUnlessDoubtful();
    }
}

// Applies the cameras of the session last, since the viewport fits the first picture of another
// sample to the pane.
void SessionFiles::applyCameras() {
    if (!restoring_) return;
    const ResultRef& result = context_.document.result.current();
    if (restoring_->sample ? !result || result->sample != restoring_->sample : result != nullptr)
        return;
    if (!restoring_->cameras.empty()) {
        viewport_.setCameras(restoring_->cameras, restoring_->camerasLinked);
        context_.actions.linkCameras->setChecked(restoring_->camerasLinked);
    }
    restoring_.reset();
}

bool SessionFiles::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Close) saveLast();
    return QObject::eventFilter(watched, event);
}

// Writes on a thread of its own so that the window closes at once.
void SessionFiles::saveLast() {
    Session session = current();
    if (!session.sample && session.opened.empty()) return;
    lastWriter_ = std::jthread([file = lastFile(), session = std::move(session)] {
        try {
            writeSession(file, session);
        } catch (const std::exception&) {
            // The window is gone, so there is no report. The previous session stays.
        }
    });
}

}  // namespace threefold::ui
