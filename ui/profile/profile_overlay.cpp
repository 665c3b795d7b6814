#include "ui/profile/profile_overlay.h"

#include <utility>

#include <QAction>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QMouseEvent>
#include <QPointer>
#include <QScreen>
#include <QSettings>
#include <QStandardPaths>

#include "engine/profile/stopwatch.h"
#include "render/overlay_layout.h"
#include "ui/panes/viewport.h"
#include "ui/profile/profile_font.h"
#include "ui/run/continuous.h"
#include "ui/run/worker.h"
#include "ui/shell/actions.h"
#include "ui/shell/banner.h"
#include "ui/shell/shell.h"
#include "ui/shell/status_line.h"

namespace threefold::ui {
namespace {

const QString kShownKey = QStringLiteral("window/liveProfile");
const QString kFolderKey = QStringLiteral("files/exportFolder");

glm::vec2 toVec(QPointF point) {
    return {static_cast<float>(point.x()), static_cast<float>(point.y())};
}

}  // namespace

ProfileOverlay::ProfileOverlay(const WindowParts& parts)
    : QObject(&parts.window),
      parts_(parts),
      action_(parts.actions.add(MenuName::view, tr("Live &profile"), Qt::Key_P,
                                tr("Stages of the last runs, frame times and memory over the "
                                   "panes, in milliseconds"))) {
    action_->setCheckable(true);
    connect(action_, &QAction::toggled, this, &ProfileOverlay::setOn);
    QAction* save =
        parts.actions.add(MenuName::file, tr("Save pro&file…"), {},
                          tr("Write the last runs and frames as Chrome trace, JSON or PNG"));
    connect(save, &QAction::triggered, this, &ProfileOverlay::askForFile);

    connect(&parts.worker, &Worker::backendReady, this, [this](const BackendInfo& info) {
        device_ =
            info.description.startsWith(QLatin1String("GPU")) ? LaneKind::gpu : LaneKind::processor;
    });
    connect(&parts.worker, &Worker::finished, this, [this](quint64, const ResultRef& result) {
        history_.addRun(result->reconstruction, device_);
        runs_.reset();
        changed();
    });
    if (auto* continuous = parts.window.findChild<ContinuousMode*>()) {
        connect(continuous, &ContinuousMode::countsChanged, this, [this, continuous] {
            setDropped(continuous->on() ? std::optional(continuous->dropped()) : std::nullopt);
        });
    }
    connect(&parts.viewport, &Viewport::frameDrawn, this, &ProfileOverlay::noteFrame);
    action_->setChecked(parts.settings.value(kShownKey, false).toBool());
}

ProfileOverlay::~ProfileOverlay() = default;

bool ProfileOverlay::on() const {
    return action_->isChecked();
}

void ProfileOverlay::setOn(bool on) {
    parts_.settings.setValue(kShownKey, on);
    if (on) {
        if (!font_) font_ = overlayFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        parts_.viewport.installEventFilter(this);
        parts_.viewport.setOverlay([this] { return makeView(); });
        return;
    }
    parts_.viewport.removeEventFilter(this);
    parts_.viewport.setOverlay({});
    view_.reset();
    pointer_.reset();
    pressed_ = false;
}

render::OverlayViewRef ProfileOverlay::makeView() {
    const Stopwatch watch;
    const ThemeColours colours = themeColours(QApplication::palette());
    if (!runs_ || runsDark_ != colours.dark) runs_ = profileRuns(history_, colours);
    runsDark_ = colours.dark;
    ProfileNumbers numbers;
    if (const QScreen* screen = parts_.viewport.screen()) {
        numbers.refreshRate = screen->refreshRate();
    }
    numbers.hostBytes = residentBytes();
    if (deviceBytes_ > 0) numbers.deviceBytes = deviceBytes_;
    numbers.queued = queued_;
    if (const std::size_t depth = parts_.worker.queueDepth(); !queued_ && depth > 0) {
        numbers.queued = depth;
    }
    numbers.dropped = dropped_;
    render::OverlayView view = profileView(history_, runs_, numbers, colours);
    view.font = font_;
    if (pointer_) view.pointer = toVec(*pointer_);
    view_ = std::make_shared<const render::OverlayView>(std::move(view));
    viewMilliseconds_ = watch.milliseconds();
    return view_;
}

void ProfileOverlay::noteFrame(const render::FrameCost& cost) {
    history_.addFrame(cost, viewMilliseconds_);
    deviceBytes_ = cost.deviceBytes;
}

void ProfileOverlay::setQueued(std::optional<std::size_t> items) {
    if (std::exchange(queued_, items) != items) changed();
}

void ProfileOverlay::setDropped(std::optional<std::size_t> requests) {
    if (std::exchange(dropped_, requests) != requests) changed();
}

void ProfileOverlay::changed() {
    if (on() && parts_.viewport.isExposed()) parts_.viewport.requestUpdate();
}

bool ProfileOverlay::overPanel(QPointF position) const {
    if (!view_) return false;
    const glm::vec2 picture(static_cast<float>(parts_.viewport.width()),
                            static_cast<float>(parts_.viewport.height()));
    return render::layoutOverlay(*view_, picture).panel.contains(toVec(position));
}

void ProfileOverlay::movePointer(std::optional<QPointF> position) {
    if (position == pointer_) return;
    pointer_ = position;
    changed();
}

bool ProfileOverlay::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick:
            pressed_ = overPanel(static_cast<QMouseEvent*>(event)->position());
            return pressed_;
        case QEvent::MouseMove: {
            const auto* move = static_cast<QMouseEvent*>(event);
            const bool over = overPanel(move->position());
            // A drag that began on the meshes goes on over the panel.
            const bool theirs = move->buttons() != Qt::NoButton && !pressed_;
            movePointer(over && !theirs ? std::optional(move->position()) : std::nullopt);
            return !theirs && (over || pressed_);
        }
        case QEvent::MouseButtonRelease:
            return std::exchange(pressed_, false);
        case QEvent::Wheel:
            return overPanel(static_cast<QWheelEvent*>(event)->position());
        case QEvent::Leave:
        case QEvent::FocusOut:
        case QEvent::Hide:
            pressed_ = false;
            movePointer(std::nullopt);
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void ProfileOverlay::askForFile() {
    const QString trace = tr("Chrome trace, for Perfetto (*.json)");
    const QString report = tr("Figures and spans (*.json)");
    const QString picture = tr("Picture of the panel (*.png)");
    auto* dialog = new QFileDialog(&parts_.window, tr("Save the profile"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({trace, report, picture});
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, picture](const QString& filter) {
        dialog->setDefaultSuffix(filter == picture ? QStringLiteral("png")
                                                   : QStringLiteral("json"));
    });
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    dialog->setDirectory(parts_.settings.value(kFolderKey, home).toString());
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, dialog, report, picture](const QString& file) {
                parts_.settings.setValue(kFolderKey, QFileInfo(file).absolutePath());
                const QString filter = dialog->selectedNameFilter();
                save(file.toStdString(), filter == picture  ? ProfileFormat::png
                                         : filter == report ? ProfileFormat::json
                                                            : ProfileFormat::chromeTrace);
            });
    dialog->open();
}

void ProfileOverlay::save(const std::filesystem::path& file, ProfileFormat format) {
    const QPointer<ProfileOverlay> self(this);
    ProfileTarget target;
    target.file = file;
    target.done = [self, name = QString::fromStdString(file.string())](
                      const std::shared_ptr<const ErrorReport>& problem) {
        QMetaObject::invokeMethod(qApp, [self, name, problem] {
            if (!self) return;
            if (problem) {
                self->parts_.banner.show(*problem);
                return;
            }
            self->parts_.status.say(tr("Written: %1").arg(name));
            Q_EMIT self->saved(name);
        });
    };
    switch (format) {
        case ProfileFormat::chromeTrace:
            saveTrace(history_.spans(), std::move(target));
            return;
        case ProfileFormat::json:
            saveReport(history_.spans(), std::move(target));
            return;
        case ProfileFormat::png:
            break;
    }
    // While off there is no view yet: it is made for the picture alone.
    if (!font_) font_ = overlayFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    const render::OverlayViewRef view = on() && view_ ? view_ : makeView();
    if (!on()) view_.reset();
    savePicture(parts_.viewport, *view, std::move(target));
}

}  // namespace threefold::ui
