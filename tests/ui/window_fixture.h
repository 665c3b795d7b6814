#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <QAction>
#include <QImage>
#include <QSettings>
#include <QVulkanInstance>

#include "render/device.h"
#include "tests/support/temp_folder.h"
#include "tests/ui/fake_backend.h"
#include "tests/ui/test_sample.h"
#include "ui/document/document.h"
#include "ui/panes/viewport.h"
#include "ui/window/main_window.h"

namespace threefold::ui::test {

/// One Vulkan instance with validation layers for all tests. The run fails if the layers are not
/// loaded, and each WindowTest during which they report anything.
class VulkanEnvironment : public testing::Environment {
  public:
    void SetUp() override;
    void TearDown() override;

    static render::Instance& instance();
    static QVulkanInstance& vulkan();
    /// Returns the validation layers' messages since the last call.
    static std::vector<std::string> takeMessages();
};

/// A new window for each test, with FakeBackend as the network unless useNetwork() was called.
class WindowTest : public testing::Test {
  protected:
    WindowTest();
    ~WindowTest() override;
    void TearDown() override;

    void useNetwork(NetworkOpener factory);  ///< makes a new window
    void newWindow();  ///< makes a window with FakeBackend; keeps the settings
    /// Makes a new window as newWindow() does, after `change` has changed its setup.
    void useSetup(const std::function<void(WindowSetup&)>& change);
    /// Closes the window; call newWindow() before window() is used again.
    void closeWindow() { window_.reset(); }
    MainWindow& window() { return *window_; }
    Document& document() { return window_->document(); }
    Viewport& viewport() { return window_->viewport(); }
    FakeBehaviour& network() { return *behaviour_; }
    const threefold::test::TempFolder& folder() const { return folder_; }

    /// Opens a sample with these views and waits for its picture; false on timeout. Without
    /// `views`: the published views that the sample has, filled up by startingViews().
    bool open(const std::filesystem::path& location,
              std::optional<std::vector<int>> views = std::nullopt);
    /// Processes events until `done` returns true; returns false after two minutes.
    static bool waitUntil(const std::function<bool()>& done);
    /// Waits until no frame has been presented for a quarter of a second.
    void settle();
    /// Fails the test if a frame is presented within the given time. Absent frames send no event,
    /// so the call always lasts the whole time.
    void expectNoFrameFor(int milliseconds);
    /// Grabs the panes as the X server shows them.
    QImage picture();
    /// Drags the mouse over the viewport.
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton);

    /// The descendant of `parent` with the object name `name`. Throws std::out_of_range if there is
    /// none.
    template <class Object>
    static Object& child(const QObject& parent, const char* name) {
        auto* found = parent.findChild<Object*>(QLatin1String(name));
        if (found == nullptr) throw std::out_of_range(name);
        return *found;
    }

    /// Gives the viewport the keyboard focus.
    void activateViewport();
    /// Presses and releases a key in the viewport.
    void pressKey(Qt::Key key, Qt::KeyboardModifiers modifiers = {});

    /// The command with the text (without "&") or shortcut. If there is none, the test fails, and
    /// the result is null.
    QAction* action(const QString& text);
    QAction* action(const QKeySequence& keys);
    /// Triggers the command with this text or shortcut, which must be enabled.
    template <class Name>
    void trigger(const Name& name) {
        QAction* found = action(name);
        ASSERT_TRUE(found != nullptr && found->isEnabled());
        found->trigger();
    }

  private:
    void makeWindow(
        NetworkOpener factory,
        const std::function<void(WindowSetup&)>& change = [](WindowSetup&) {});

    threefold::test::TempFolder folder_;
    std::shared_ptr<FakeBehaviour> behaviour_ = std::make_shared<FakeBehaviour>();
    std::unique_ptr<QSettings> settings_;
    std::unique_ptr<MainWindow> window_;
};

/// Fraction of pixels with a saturated colour between two hues (degrees, may wrap around).
double fractionOfHues(const QImage& picture, int from, int to);
/// Contrast ratio (contrast() of ui/style/theme.h) between the most frequent colour and the colour
/// farthest from it, such as between a background and its text.
double contrastIn(const QImage& image);
/// Fraction of pixels that differ visibly; 1 if the sizes differ or there are no pixels.
double difference(const QImage& a, const QImage& b);
/// Fraction of pixels with a saturated colour of viridis: violet, blue, green or yellow.
double mapFraction(const QImage& picture);

}  // namespace threefold::ui::test
