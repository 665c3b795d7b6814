#include "tests/ui/window_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <QApplication>
#include <QScreen>
#include <QTest>

#include "engine/error.h"
#include "engine/sample/sample.h"
#include "ui/document/view_selection.h"
#include "ui/style/theme.h"

namespace threefold::ui::test {
namespace {

// The published views that the sample has, filled up by startingViews(); empty if there is no
// sample.
std::vector<int> publishedViewsOf(const std::filesystem::path& location) {
    try {
        return startingViews(kPublishedViews, findSample(location).viewCount());
    } catch (const Error&) {
        return {};
    }
}

constexpr int kPatience = 120000;  // milliseconds; enough for a fit with a sanitizer

std::vector<std::string> validationMessages;
std::unique_ptr<render::Instance> sharedInstance;
std::unique_ptr<QVulkanInstance> sharedVulkan;

}  // namespace

void VulkanEnvironment::SetUp() {
    render::InstanceOptions options;
    options.validation = true;
    options.surface = true;
    options.log = [](LogLevel, std::string_view line) { validationMessages.emplace_back(line); };
    sharedInstance = std::make_unique<render::Instance>(options);
    sharedVulkan = std::make_unique<QVulkanInstance>();
    sharedVulkan->setVkInstance(sharedInstance->handle());
    ASSERT_TRUE(sharedVulkan->create());
}

void VulkanEnvironment::TearDown() {
    sharedVulkan.reset();
    sharedInstance.reset();
}

render::Instance& VulkanEnvironment::instance() {
    return *sharedInstance;
}

QVulkanInstance& VulkanEnvironment::vulkan() {
    return *sharedVulkan;
}

std::vector<std::string> VulkanEnvironment::takeMessages() {
    return std::exchange(validationMessages, {});
}

WindowTest::WindowTest() {
    newWindow();
}

void WindowTest::newWindow() {
    makeWindow([behaviour = behaviour_] { return fakeDevices(behaviour); });
}

// Members of derived tests, such as further windows, have ended by now.
WindowTest::~WindowTest() {
    window_.reset();
    for (const std::string& message : VulkanEnvironment::takeMessages())
        ADD_FAILURE() << "Vulkan validation: " << message;
}

void WindowTest::useSetup(const std::function<void(WindowSetup&)>& change) {
    makeWindow([behaviour = behaviour_] { return fakeDevices(behaviour); }, change);
}

void WindowTest::makeWindow(NetworkOpener factory,
                            const std::function<void(WindowSetup&)>& change) {
    window_.reset();
    settings_ = std::make_unique<QSettings>(
        QString::fromStdString((folder_ / "settings.ini").string()), QSettings::IniFormat);
    settings_->setValue("window/theme", "dark");
    // Fits are off by default, since they take time; tests of fits turn them on.
    if (!settings_->contains("fit/on")) settings_->setValue("fit/on", false);
    const auto logStore = std::make_shared<LogStore>();
    WindowSetup setup{.instance = VulkanEnvironment::instance(),
                      .vulkan = VulkanEnvironment::vulkan(),
                      .settings = *settings_,
                      .networks = {.openInitial = std::move(factory)},
                      .log = LogStore::teeInto(logStore, {}),
                      .systemPalette = QApplication::palette(),
                      .logStore = logStore};
    change(setup);
    window_ = std::make_unique<MainWindow>(std::move(setup));
    window_->resize(1200, 800);
    window_->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get()));
}

void WindowTest::useNetwork(NetworkOpener factory) {
    makeWindow(std::move(factory));
}

void WindowTest::TearDown() {
    window_.reset();
}

bool WindowTest::open(const std::filesystem::path& location,
                      std::optional<std::vector<int>> views) {
    if (!views) views = publishedViewsOf(location);
    bool shown = false;
    QObject context;
    // The picture of an earlier request may come first, while the new request is still running.
    QObject::connect(window_.get(), &MainWindow::pictureShown, &context,
                     [&] { shown = !document().run.state().isReconstructing(); });
    window_->opener().openSample(location, *views);
    return waitUntil([&] { return shown; });
}

bool WindowTest::waitUntil(const std::function<bool()>& done) {
    return QTest::qWaitFor(done, kPatience);
}

void WindowTest::settle() {
    waitUntil([&] { return viewport().framesPresented() > 0; });
    std::uint64_t frames = 0;
    do {
        frames = viewport().framesPresented();
        QTest::qWait(250);  // time for pending changes to request their frames
        waitUntil([&] { return viewport().isUpToDate(); });
    } while (viewport().framesPresented() != frames);
}

void WindowTest::expectNoFrameFor(int milliseconds) {
    const std::uint64_t frames = viewport().framesPresented();
    QTest::qWait(milliseconds);
    EXPECT_EQ(viewport().framesPresented(), frames);
}

QImage WindowTest::picture() {
    settle();
    return viewport()
        .screen()
        ->grabWindow(viewport().winId())
        .toImage()
        .convertToFormat(QImage::Format_RGB32);
}

void WindowTest::drag(QPoint from, QPoint to, Qt::MouseButton button) {
    QTest::mousePress(&viewport(), button, {}, from);
    constexpr int kSteps = 8;
    for (int step = 1; step <= kSteps; ++step) {
        QTest::mouseMove(&viewport(), from + (to - from) * step / kSteps);
        QTest::qWait(5);
    }
    QTest::mouseRelease(&viewport(), button, {}, to);
}

void WindowTest::activateViewport() {
    viewport().requestActivate();
    ASSERT_TRUE(waitUntil([&] { return QGuiApplication::focusWindow() == &viewport(); }));
}

void WindowTest::pressKey(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    activateViewport();
    QTest::keyClick(&viewport(), key, modifiers);
}

QAction* WindowTest::action(const QString& text) {
    for (QAction* each : window_->findChildren<QAction*>())
        if (each->text().remove('&') == text) return each;
    ADD_FAILURE() << "no command " << text.toStdString();
    return nullptr;
}

QAction* WindowTest::action(const QKeySequence& keys) {
    for (QAction* each : window_->findChildren<QAction*>())
        if (each->shortcut() == keys) return each;
    ADD_FAILURE() << "no command has " << keys.toString().toStdString();
    return nullptr;
}

double fractionOfHues(const QImage& picture, int from, int to) {
    qint64 found = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const QColor colour = picture.pixelColor(x, y);
            if (colour.hsvSaturation() < 90 || colour.value() < 30) continue;
            const int hue = colour.hsvHue();
            if (from <= to ? (hue >= from && hue <= to) : (hue >= from || hue <= to)) ++found;
        }
    }
    return static_cast<double>(found) / (static_cast<double>(picture.width()) * picture.height());
}

double mapFraction(const QImage& picture) {
    return fractionOfHues(picture, 50, 300);
}

double contrastIn(const QImage& image) {
    std::map<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y) | 0xff000000U];
    }
    const auto behind = std::max_element(counts.begin(), counts.end(),
                                         [](auto a, auto b) { return a.second < b.second; });
    double max = 1;
    for (const auto& [colour, count] : counts)
        max = std::max(max, contrast(QColor(colour), QColor(behind->first)));
    return max;
}

double difference(const QImage& a, const QImage& b) {
    if (a.size() != b.size() || a.isNull()) return 1;
    qint64 different = 0;
    for (int y = 0; y < a.height(); ++y) {
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y);
            const QRgb q = b.pixel(x, y);
            const int distance = std::abs(qRed(p) - qRed(q)) + std::abs(qGreen(p) - qGreen(q)) +
                                 std::abs(qBlue(p) - qBlue(q));
            if (distance > 24) ++different;
        }
    }
    return static_cast<double>(different) / (static_cast<double>(a.width()) * a.height());
}

}  // namespace threefold::ui::test
