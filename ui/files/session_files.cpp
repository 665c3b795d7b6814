#include "ui/files/session_files.h"

#include <map>

#include <exception>
#include <utility>

#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QSettings>

#include "ui/files/file_kinds.h"
#include "ui/input/input_panel.h"
#include "ui/panes/viewport.h"
#include "ui/run/network_menu.h"
#include "ui/shell/file_dialogs.h"

namespace threefold::ui {

SessionFiles::SessionFiles(const WindowParts& parts, InputPanel& input, Viewport& viewport,
                           OpenedFiles& files, NetworkMenu& networks)
    : QObject(&parts.window),
      parts_(parts),
      input_(input),
      viewport_(viewport),
      files_(files),
      networks_(networks) {
    QAction* save =
        parts_.actions.add(MenuName::session, tr("&Save session…"), QKeySequence::Save,
                           tr("Save sample, views, cameras, opened files and look as one "
                              "file"));
    connect(save, &QAction::triggered, this, &SessionFiles::askWhere);
    QAction* last =
        parts_.actions.add(MenuName::session, tr("Restore &last session"), {},
                           tr("Restore what was shown when the window was last closed"));
    connect(last, &QAction::triggered, this, [this] { restore(lastFile()); });
    last->setEnabled(QFileInfo::exists(pathText(lastFile())));
    connect(&files_, &OpenedFiles::sessionAsked, this, &SessionFiles::restore);
    connect(&parts_.document, &Document::resultChanged, this, &SessionFiles::applyCameras);
    connect(&parts_.document, &Document::openedChanged, this, [this] {
        const std::size_t there = parts_.document.openedIds().size();
        if (waiting_ && !waiting_->sample && there == waiting_->opened.size()) applyCameras();
    });
    parts_.window.installEventFilter(this);
}

std::filesystem::path SessionFiles::lastFile() const {
    const QString settings = parts_.settings.fileName();
    return std::filesystem::path(settings.toStdString()).parent_path() / "last.threefold";
}

Session SessionFiles::current() const {
    Session session;
    session.sample = input_.sample();
    session.views = input_.selection().views();
    session.model = networks_.choice().model;
    session.look = parts_.document.look();
    // Without the gaps that closed meshes left, and without meshes of no file.
    std::map<MeshId, MeshId> kept;
    for (const Comparison* each : files_.comparisons()) {
        if (each->file().empty()) continue;
        session.opened.push_back({each->file(), each->space()});
        kept[each->id()] = MeshId::opened(static_cast<std::uint32_t>(session.opened.size()));
    }
    std::vector<MeshId>& panes = session.look.panes;
    std::erase_if(panes, [&](MeshId id) { return id.isOpened() && !kept.contains(id); });
    for (MeshId& id : panes)
        if (id.isOpened()) id = kept.at(id);
    session.fit = parts_.document.fitChoice();
    const PaneCameras& cameras = viewport_.cameras();
    session.linked = cameras.linked();
    for (std::size_t pane = 0; pane < PaneCameras::kMost; ++pane)
        session.cameras.push_back(cameras.camera(pane));
    return session;
}

void SessionFiles::askWhere() {
    const InputState& input = input_.state();
    const Session now = current();
    const std::string mesh = now.opened.empty() ? "session" : now.opened[0].file.stem().string();
    const std::string name =
        input.sample ? suggestedName(*input.sample, input.selection.views()) : mesh;
    askWhereToSave({.parent = parts_.window,
                    .title = tr("Save the session"),
                    .filters = {tr("Sessions (*.threefold)")},
                    .settings = &parts_.settings,
                    .folderKey = QStringLiteral("files/sessionFolder"),
                    .name = QString::fromStdString(name + ".threefold")},
                   *this,
                   [this](const std::filesystem::path& file, const QString&) { save(file); });
}

void SessionFiles::save(const std::filesystem::path& file) {
    inBackground(
        this, [file, session = current()] { writeSession(file, session); },
        [this, file] {
            parts_.status.saySaved({file});
            Q_EMIT files_.opened(file);
            Q_EMIT saved(pathText(file));
        },
        [this](const ErrorReport& report) { files_.reading().refuse(report); }, file.string());
}

void SessionFiles::restore(const std::filesystem::path& file) {
    inBackground(
        this, [file] { return readSession(file); },
        [this, file](const Session& session) {
            apply(session);
            if (file != lastFile()) Q_EMIT files_.opened(file);
        },
        [this](const ErrorReport& report) { files_.reading().refuse(report); }, file.string());
}

void SessionFiles::apply(const Session& session) {
    parts_.banner.hide();
    parts_.document.setLook(session.look);
    if (session.model != networks_.choice().model) networks_.load(session.model);
    if (session.fit) parts_.document.setFitChoice(*session.fit);
    waiting_ = session;
    // A file that cannot be read leaves the mesh that is there.
    for (std::size_t i = 0; i < session.opened.size(); ++i)
        files_.comparison(i).compare(session.opened[i].file, session.opened[i].space);
    for (std::size_t i = session.opened.size(); i < files_.comparisons().size(); ++i)
        if (files_.comparison(i).isOfFile()) files_.comparison(i).close();
    if (session.sample) {
        input_.setInput(session.sample, ViewSelection(session.views));
        parts_.actions.reconstruct->setEnabled(true);
        parts_.window.reconstruct();
    }
}

// The first picture of another item is fitted to the pane; the session has its own cameras.
void SessionFiles::applyCameras() {
    if (!waiting_) return;
    const ResultRef& result = parts_.document.result();
    if (waiting_->sample ? !result || result->sample != waiting_->sample : result != nullptr)
        return;
    if (!waiting_->cameras.empty()) {
        viewport_.setCameras(waiting_->cameras, waiting_->linked);
        parts_.actions.linkCameras->setChecked(waiting_->linked);
    }
    waiting_.reset();
}

bool SessionFiles::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Close) keepLast();
    return QObject::eventFilter(watched, event);
}

// Writes on a thread of its own so that the window closes at once.
void SessionFiles::keepLast() {
    Session session = current();
    if (!session.sample && session.opened.empty()) return;
    keeping_ = std::jthread([file = lastFile(), session = std::move(session)] {
        try {
            writeSession(file, session);
        } catch (const std::exception&) {
            // The window is gone, so no report; the previous session stays.
        }
    });
}

}  // namespace threefold::ui
