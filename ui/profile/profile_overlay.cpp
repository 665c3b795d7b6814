#include "ui/profile/profile_overlay.h"

#include <cmath>
#include <map>

#include <QApplication>
#include <QByteArray>
#include <QFontDatabase>
#include <QMouseEvent>
#include <QRawFont>
#include <QScreen>

#include "engine/formats/files/write_file.h"
#include "engine/formats/pictures/image.h"
#include "engine/profile/stopwatch.h"
#include "engine/profile/trace_format.h"
#include "engine/system/process_memory.h"
#include "render/profile_panel_layout.h"
#include "ui/panes/viewport.h"
#include "ui/run/network_client.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"

namespace threefold::ui {
namespace {

using Bytes = render::PanelFont;

void put16(Bytes& bytes, unsigned value) {
    bytes.push_back(static_cast<unsigned char>(value >> 8U));
    bytes.push_back(static_cast<unsigned char>(value));
}

void put32(Bytes& bytes, std::size_t value) {
    put16(bytes, static_cast<unsigned>(value >> 16U) & 0xFFFFU);
    put16(bytes, static_cast<unsigned>(value) & 0xFFFFU);
}

/// Font file of the font that Qt chooses for `font`, built from its tables because Qt does not
/// reveal the file. Null if the outlines are not available; the panel then uses its built-in
/// font.
std::shared_ptr<const Bytes> panelFont(const QFont& font) {
    const QRawFont raw = QRawFont::fromFont(font);
    if (!raw.isValid()) return nullptr;
    // Sorted by name, as the format demands.
    std::map<std::string, QByteArray> tables;
    for (const char* name :
         {"CFF ", "OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}) {
        QByteArray table = raw.fontTable(name);
        if (!table.isEmpty()) tables.emplace(name, std::move(table));
    }
    const bool cubic = tables.contains("CFF ");
    for (const char* required : {"cmap", "head", "hhea", "hmtx", "maxp"})
        if (!tables.contains(required)) return nullptr;
    if (!cubic && !(tables.contains("glyf") && tables.contains("loca"))) return nullptr;

    auto file = std::make_shared<Bytes>();
    put32(*file, cubic ? 0x4F54544F : 0x00010000);  // "OTTO", or TrueType
    put16(*file, static_cast<unsigned>(tables.size()));
    for (int i = 0; i < 3; ++i) put16(*file, 0);  // binary search fields, unused today
    constexpr std::size_t kEntrySize = 16;
    std::size_t offset = file->size() + kEntrySize * tables.size();
    const auto padded = [](qsizetype size) { return (static_cast<std::size_t>(size) + 3) / 4 * 4; };
    for (const auto& [name, table] : tables) {
        file->insert(file->end(), name.begin(), name.end());
        put32(*file, 0);  // checksum; no reader checks it
        put32(*file, offset);
        put32(*file, static_cast<std::size_t>(table.size()));
        offset += padded(table.size());
    }
    for (const auto& [name, table] : tables) {
        file->insert(file->end(), table.begin(), table.end());
        file->resize(file->size() + padded(table.size()) - static_cast<std::size_t>(table.size()));
    }
    return file;
}

const QString kShownKey = QStringLiteral("window/liveProfile");

glm::vec2 pointOf(QPointF point) {
    return {static_cast<float>(point.x()), static_cast<float>(point.y())};
}

ErrorReport noPicture(const std::filesystem::path& file) {
    return {file.string(), "", "the picture cannot be drawn yet", "Wait for the first picture."};
}

}  // namespace

ProfileOverlay::ProfileOverlay(const FeatureContext& context, Viewport& viewport,
                               const WindowNetwork& network)
    : QObject(&context.window),
      context_(context),
      viewport_(viewport),
      network_(network),
      action_(context.actions.add(
          {.menu = MenuSection::viewPanels,
           .text = tr("Live &profile"),
           .keys = Qt::Key_P,
           .tooltip = tr("Steps of the last runs, frame times and memory over the "
                         "panes, in milliseconds")})) {
    action_->setCheckable(true);
    connect(action_, &QAction::toggled, this, &ProfileOverlay::setOn);
    context.actions.add(
        {.menu = MenuSection::fileSave,
         .text = tr("Save pro&file…"),
         .tooltip = tr("Save the last runs and frames as Chrome trace, JSON or PNG")},
        this, &ProfileOverlay::askForFile);
    connectNetwork();
    connectFits();
    connect(&viewport, &Viewport::frameDrawn, this, [this](const render::FrameStatistics& frame) {
        history_.addFrame(frame, panelViewMilliseconds_);
        numbers_.deviceBytes = frame.deviceBytes;
    });
    gaugeTimer_.setInterval(1000);
    connect(&gaugeTimer_, &QTimer::timeout, this, [this] {
        readProcessor();
        if (gauges_ && gauges_->last()) requestFrame();
    });
    action_->setChecked(context.settings.value(kShownKey, false).toBool());
}

void ProfileOverlay::connectNetwork() {
    const NetworkClient& client = network_.client;
    connect(&client, &NetworkClient::networkReady, this, [this](const NetworkDescription& info) {
        device_ =
            info.description.startsWith(QLatin1String("GPU")) ? LaneKind::gpu : LaneKind::processor;
        // Does not block: the network is open.
        setGauges(network_.client.service()->info().pciBusIds);
    });
    connect(&client, &NetworkClient::finished, this, [this](quint64, const ResultRef& result) {
        history_.addRun(result->reconstruction.network, result->startedAt, device_);
        if (const auto memory = network_.client.service()->info().memoryUse;
            memory && memory->peakBytes > 0) {
            numbers_.networkBytes = memory->peakBytes;
            numbers_.poolUse = memory->pools;
        }
        flames_.reset();
        requestFrame();
    });
}

void ProfileOverlay::connectFits() {
    connect(&network_.fitRunner, &FitRunner::fitted, this, [this](const ResultRef& result) {
        history_.addFit(result->fitted()->fit.result->milliseconds);
        requestFrame();
    });
    connect(&network_.liveUpdate, &LiveUpdate::countsChanged, this, [this] {
        const LiveUpdate& liveUpdate = network_.liveUpdate;
        setSuperseded(liveUpdate.isOn() ? std::optional(liveUpdate.supersededCount())
                                        : std::nullopt);
    });
}

void ProfileOverlay::setOn(bool on) {
    context_.settings.setValue(kShownKey, on);
    setGauges(pciBusIds_, nvml_);
    if (on) {
        gaugeTimer_.start();
        processor_.read();  // starts a new interval
        if (!font_) font_ = panelFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
        viewport_.installEventFilter(this);
        viewport_.setProfilePanel([this] { return makeView(); });
        return;
    }
    gaugeTimer_.stop();
    numbers_.processorPercent.reset();
    viewport_.removeEventFilter(this);
    viewport_.setProfilePanel({});
    view_.reset();
    pointer_.reset();
    pressed_ = false;
}

void ProfileOverlay::setGauges(std::vector<std::string> pciBusIds, std::filesystem::path library) {
    pciBusIds_ = std::move(pciBusIds);
    nvml_ = std::move(library);
    const bool active = isOn() && !pciBusIds_.empty();
    gauges_ = active ? std::make_unique<GpuMonitor>(pciBusIds_, nvml_) : nullptr;
}

// Requests a frame only if the load has changed, since frames load the processor too.
void ProfileOverlay::readProcessor() {
    constexpr double kMinChange = 5;
    const std::optional<double> before = numbers_.processorPercent;
    const std::optional<double> current = processor_.read();
    if (!current || (before && std::abs(*current - *before) < kMinChange)) return;
    numbers_.processorPercent = current;
    requestFrame();
}

render::ProfilePanelViewRef ProfileOverlay::makeView() {
    const Stopwatch watch;
    const ThemeColours colours = themeColours(QApplication::palette());
    if (!flames_ || flamesDark_ != colours.dark) flames_ = flameGraphOf(history_, colours);
    flamesDark_ = colours.dark;
    if (const QScreen* screen = viewport_.screen()) numbers_.refreshRate = screen->refreshRate();
    numbers_.hostBytes = residentBytes();
    numbers_.gpuReading = gauges_ ? gauges_->last() : std::nullopt;
    const ViewCache::Statistics views = network_.client.viewCache()->statistics();
    if (const std::size_t requests = views.hits + views.misses; requests > 0)
        numbers_.viewCache = CacheUse{views.hits, requests};
    numbers_.queuedRequests = network_.client.queueDepth();
    render::ProfilePanelView view = profileView(history_, flames_, numbers_, colours);
    view.font = font_;
    if (pointer_) view.pointer = pointOf(*pointer_);
    view_ = std::make_shared<const render::ProfilePanelView>(std::move(view));
    panelViewMilliseconds_ = watch.milliseconds();
    return view_;
}

void ProfileOverlay::requestFrame() {
    if (isOn() && viewport_.isExposed()) viewport_.requestUpdate();
}

bool ProfileOverlay::isOverPanel(QPointF position) const {
    if (!view_) return false;
    const glm::vec2 picture(static_cast<float>(viewport_.width()),
                            static_cast<float>(viewport_.height()));
    return render::layoutProfilePanel(*view_, picture).panel.contains(pointOf(position));
}

void ProfileOverlay::movePointer(std::optional<QPointF> position) {
    if (position == pointer_) return;
    pointer_ = position;
    requestFrame();
}

bool ProfileOverlay::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick:
            pressed_ = isOverPanel(static_cast<QMouseEvent*>(event)->position());
            return pressed_;
        case QEvent::MouseMove: {
            const auto* move = static_cast<QMouseEvent*>(event);
            const bool over = isOverPanel(move->position());
            // A drag that began on the meshes continues over the panel.
            const bool panesDrag = move->buttons() != Qt::NoButton && !pressed_;
            movePointer(over && !panesDrag ? std::optional(move->position()) : std::nullopt);
            return !panesDrag && (over || pressed_);
        }
        case QEvent::MouseButtonRelease:
            return std::exchange(pressed_, false);
        case QEvent::Wheel:
            return isOverPanel(static_cast<QWheelEvent*>(event)->position());
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
    const QString report = tr("Numbers and spans (*.json)");
    const QString picture = tr("Picture of the panel (*.png)");
    askForSavePath(
        {.parent = context_.window,
         .title = tr("Save the profile"),
         .filters = {trace, report, picture},
         .remembered = {{context_.settings, QStringLiteral("files/exportFolder")}}},
        *this, [this, report, picture](const std::filesystem::path& file, const QString& filter) {
            save(file, filter == picture  ? ProfileFormat::png
                       : filter == report ? ProfileFormat::json
                                          : ProfileFormat::chromeTrace);
        });
}

void ProfileOverlay::save(const std::filesystem::path& file, ProfileFormat format) {
    if (format == ProfileFormat::png) return savePicture(file);
    write(file, [file, format, spans = history_.spans()] {
        writeFileAtomically(file, format == ProfileFormat::json ? formatProfileJson(spans)
                                                                : formatChromeTrace(spans));
    });
}

// Draws only the panel, offscreen at twice its logical size.
void ProfileOverlay::savePicture(const std::filesystem::path& file) {
    if (!font_) font_ = panelFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    render::ProfilePanelView panel = isOn() && view_ ? *view_ : *makeView();
    if (!isOn()) view_.reset();
    panel.margin = 0;
    panel.pointer.reset();
    panel.colours.panel.w = 1;
    constexpr float kScale = 2;
    const glm::vec2 size = kScale * render::profilePanelSize(panel);
    render::Scene scene;
    scene.background = glm::vec4(0);
    scene.pixelRatio = kScale;
    scene.profilePanel = std::make_shared<const render::ProfilePanelView>(std::move(panel));
    const auto write = [this, file](const TaskResult<Image>& drawn) {
        if (drawn.problem) return context_.banner.show(*drawn.problem);
        this->write(file, [file, image = *drawn.value] { writePng(file, image); });
    };
    const bool requested = viewport_.drawImage(
        std::move(scene), static_cast<int>(std::lround(size.x)),
        static_cast<int>(std::lround(size.y)),
        [self = QPointer<QObject>(this), write](const TaskResult<Image>& drawn) {
            callOnGuiThread(self, [write, drawn] { write(drawn); });
        });
    if (!requested) context_.banner.show(noPicture(file));
}

void ProfileOverlay::write(const std::filesystem::path& file, std::function<void()> work) {
    inBackground(
        this, std::move(work),
        [this, name = pathText(file)] {
            context_.status.showMessage(tr("Saved %1").arg(name));
            Q_EMIT saved(name);
        },
        [this](const ErrorReport& problem) { context_.banner.show(problem); }, file.string());
}

ProfileOverlay& addProfileOverlay(const FeatureContext& context, Viewport& viewport,
                                  const WindowNetwork& network) {
    return *new ProfileOverlay(context, viewport, network);
}

}  // namespace threefold::ui
