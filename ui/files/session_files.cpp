#include "ui/files/session_files.h"

#include <exception>
#include <memory>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>
#include <QThreadPool>

#include "engine/error.h"
#include "ui/input/input_panel.h"
#include "ui/panes/viewport.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

const QString kFolderKey = QStringLiteral("files/sessionFolder");

std::optional<ErrorReport> problemOf(const std::filesystem::path& file,
                                     const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        return error.report();
    } catch (const std::exception& error) {
        return ErrorReport{file.string(), "", error.what(), "Please report this."};
    }
}

}  // namespace

SessionFiles::SessionFiles(const WindowParts& parts, OpenedFiles& files)
    : QObject(&parts.window), parts_(parts), files_(files) {
    QAction* save = parts_.actions.add(MenuName::file, tr("&Save session…"), QKeySequence::Save,
                                       tr("Sample, views, cameras, opened files and look, as one "
                                          "file"));
    connect(save, &QAction::triggered, this, &SessionFiles::askWhere);
    QAction* last = parts_.actions.add(MenuName::file, tr("Restore &last session"), {},
                                       tr("What was shown when the window was last closed"));
    connect(last, &QAction::triggered, this, [this] { restore(lastFile()); });
    last->setEnabled(QFileInfo::exists(QString::fromStdString(lastFile().string())));
    connect(&files_, &OpenedFiles::sessionAsked, this, &SessionFiles::restore);
    connect(&parts_.document, &Document::resultChanged, this, &SessionFiles::applyCameras);
    connect(&files_, &OpenedFiles::comparisonChanged, this, [this] {
        if (waiting_ && !waiting_->sample) applyCameras();
    });
    parts_.window.installEventFilter(this);
}

std::filesystem::path SessionFiles::lastFile() const {
    const QString settings = parts_.settings.fileName();
    return std::filesystem::path(settings.toStdString()).parent_path() / "last.threefold";
}

Session SessionFiles::current() const {
    Session session;
    session.sample = parts_.input.sample();
    session.views = parts_.input.selection().views();
    session.comparison = files_.comparisonFile();
    session.comparisonSpace = files_.comparisonSpace();
    session.look = parts_.document.look();
    const PaneCameras& cameras = parts_.viewport.cameras();
    session.linked = cameras.linked();
    for (std::size_t pane = 0; pane < PaneCameras::kMost; ++pane) {
        session.cameras.push_back(cameras.camera(pane));
    }
    return session;
}

void SessionFiles::askWhere() {
    auto* dialog = new QFileDialog(&parts_.window, tr("Save the session"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Sessions (*.threefold)"));
    dialog->setDefaultSuffix(QStringLiteral("threefold"));
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    dialog->setDirectory(parts_.settings.value(kFolderKey, home).toString());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        parts_.settings.setValue(kFolderKey, QFileInfo(file).absolutePath());
        save(file.toStdString());
    });
    dialog->show();
}

void SessionFiles::save(const std::filesystem::path& file) {
    const QPointer<SessionFiles> self(this);
    QThreadPool::globalInstance()->start([self, file, session = current()] {
        const auto problem = problemOf(file, [&] { writeSession(file, session); });
        QMetaObject::invokeMethod(qApp, [self, file, problem] {
            if (!self) return;
            if (problem) return self->files_.refuse(*problem);
            const QString name = QString::fromStdString(file.string());
            self->parts_.status.say(tr("Written: %1").arg(name));
            Q_EMIT self->files_.opened(file);
            Q_EMIT self->saved(name);
        });
    });
}

void SessionFiles::restore(const std::filesystem::path& file) {
    const QPointer<SessionFiles> self(this);
    QThreadPool::globalInstance()->start([self, file] {
        Session session;
        const auto problem = problemOf(file, [&] { session = readSession(file); });
        QMetaObject::invokeMethod(qApp, [self, file, problem, session = std::move(session)] {
            if (!self) return;
            if (problem) return self->files_.refuse(*problem);
            self->take(session);
            if (file != self->lastFile()) Q_EMIT self->files_.opened(file);
        });
    });
}

void SessionFiles::take(const Session& session) {
    parts_.banner.hide();
    parts_.document.setLook(session.look);
    waiting_ = session;
    if (!session.comparison.empty()) {
        files_.compare(session.comparison, session.comparisonSpace);
    } else if (!files_.comparisonFile().empty()) {
        files_.closeComparison();
    }
    if (session.sample) {
        parts_.input.show(session.sample, ViewSelection(session.views));
        parts_.actions.reconstruct->setEnabled(true);
        parts_.window.reconstruct();
    }
    Q_EMIT restored();
}

// The first picture of another item is fitted; the session knows better how it was seen.
void SessionFiles::applyCameras() {
    if (!waiting_) return;
    const ResultRef& result = parts_.document.result();
    if (waiting_->sample ? !result || result->sample != waiting_->sample : result != nullptr)
        return;
    if (!waiting_->cameras.empty()) {
        parts_.viewport.setCameras(waiting_->cameras, waiting_->linked);
        parts_.actions.linkCameras->setChecked(waiting_->linked);
    }
    waiting_.reset();
}

bool SessionFiles::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Close) keepLast();
    return QObject::eventFilter(watched, event);
}

// A disk may take its time to say that it has written; the window need not stand there so long.
void SessionFiles::keepLast() {
    Session session = current();
    if (!session.sample && session.comparison.empty()) return;
    keeping_ = std::jthread([file = lastFile(), session = std::move(session)] {
        problemOf(file, [&] { writeSession(file, session); });
    });
}

}  // namespace threefold::ui
