#include <atomic>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QClipboard>
#include <QGuiApplication>

#include "tests/ui/window_fixture.h"
#include "ui/files/export_commands.h"
#include "ui/shell/banner.h"

namespace threefold::ui {
namespace {

/// Faults that return `result` for `count` submissions, beginning with number `first`, from 0.
render::DriverFaults faultyDriver(VkResult result, int first, int count) {
    auto asked = std::make_shared<std::atomic<int>>(0);
    return {.submit = [result, first, count, asked] {
        const int now = (*asked)++;
        return now >= first && now < first + count ? result : VK_SUCCESS;
    }};
}

class DeviceLoss : public test::WindowTest {
  protected:
    void SetUp() override {
        QObject::connect(&viewport(), &Viewport::deviceLost, &window(),
                         [this](const ErrorReport& report) { losses_.push_back(report.problem); });
        QObject::connect(&viewport(), &Viewport::drawingFailed, &window(),
                         [this] { failed_ = true; });
    }
    /// Requests frames until `times` losses of the device are reported; false on timeout.
    bool loses(std::size_t times) {
        return waitUntil([&] {
            viewport().requestUpdate();
            return losses_.size() >= times;
        });
    }
    Banner& banner() { return *window().findChild<Banner*>(); }
    /// Hides the banner, which made the panes smaller, and returns the panes' picture.
    QImage pictureWithoutBanner() {
        banner().hide();
        return picture();
    }

    std::vector<std::string> losses_;
    bool failed_ = false;
};

TEST_F(DeviceLoss, keepsThePicture_whenSurvived) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QImage before = picture();
    viewport().setDriverFaults(faultyDriver(VK_ERROR_DEVICE_LOST, 1, 1));
    ASSERT_TRUE(loses(1));
    EXPECT_TRUE(waitUntil([&] { return banner().isVisible(); }));
    const QImage after = pictureWithoutBanner();
    EXPECT_LT(test::difference(before, after), 0.001);
    EXPECT_THAT(losses_, testing::ElementsAre(testing::HasSubstr("VK_ERROR_DEVICE_LOST")));
    EXPECT_FALSE(failed_);
    drag({100, 150}, {220, 190});
    EXPECT_GT(test::difference(after, picture()), 0.005);
}

TEST_F(DeviceLoss, endsDrawing_whenRepeated) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    viewport().setDriverFaults(faultyDriver(VK_ERROR_DEVICE_LOST, 1, 1000));
    EXPECT_TRUE(waitUntil([&] {
        viewport().requestUpdate();
        return failed_;
    }));
    EXPECT_EQ(losses_.size(), 3U);
    EXPECT_TRUE(banner().isVisible());
}

TEST_F(DeviceLoss, deliversAReport_whenDrawingHasEnded) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    viewport().setDriverFaults(faultyDriver(VK_ERROR_DEVICE_LOST, 1, 1000));
    ASSERT_TRUE(waitUntil([&] {
        viewport().requestUpdate();
        return failed_;
    }));
    // The first request may be queued while the render thread ends; the second comes afterwards.
    for (int request = 0; request < 2; ++request) {
        auto reports = std::make_shared<std::atomic<int>>(0);
        ASSERT_TRUE(viewport().grabPanes([reports](const TaskResult<Image>& drawn) {
            if (!drawn.value && drawn.problem) ++*reports;
        }));
        EXPECT_TRUE(waitUntil([&] { return *reports == 1; }));
    }
}

TEST_F(DeviceLoss, leavesTheClipboard_whenThePictureToCopyCannotBeDrawn) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    settle();
    viewport().setDriverFaults(faultyDriver(VK_ERROR_DEVICE_LOST, 1, 1000));
    ASSERT_TRUE(waitUntil([&] {
        viewport().requestUpdate();
        return failed_;
    }));
    QGuiApplication::clipboard()->setText("before");
    window().findChild<ExportCommands*>()->copyPane(0);
    EXPECT_TRUE(waitUntil([&] { return banner().text().contains("draws nothing any more"); }));
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "before");
}

TEST_F(DeviceLoss, namesTheDriversReason_whenAPictureCannotBeDrawn) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    auto fails = std::make_shared<std::atomic<bool>>(false);
    viewport().setDriverFaults(
        {.submit = [fails] { return *fails ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS; }});
    settle();
    *fails = true;
    window().findChild<ExportCommands*>()->copyPane(0);
    EXPECT_TRUE(waitUntil([&] { return banner().text().contains("OUT_OF_DEVICE_MEMORY"); }))
        << banner().text().toStdString();
    *fails = false;
    EXPECT_THAT(losses_, testing::IsEmpty());  // no frame failed, only the picture to copy
}

TEST_F(DeviceLoss, makesANewSurface_whenTheSurfaceIsLost) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QImage before = picture();
    viewport().setDriverFaults(faultyDriver(VK_ERROR_SURFACE_LOST_KHR, 1, 1));
    ASSERT_TRUE(loses(1));
    const QImage after = pictureWithoutBanner();
    EXPECT_LT(test::difference(before, after), 0.001);
    EXPECT_THAT(losses_, testing::ElementsAre(testing::HasSubstr("VK_ERROR_SURFACE_LOST")));
    EXPECT_FALSE(failed_);
    drag({100, 150}, {220, 190});
    EXPECT_GT(test::difference(after, picture()), 0.005);
}

TEST_F(DeviceLoss, isNotReported_whenAMeshIsBad) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_GT(test::mapFraction(picture()), 0.05);
    render::Scene bad;
    bad.panes.resize(1);
    bad.panes[0].layers.emplace_back().mesh = std::make_shared<const render::SceneMesh>(
        render::SceneMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}});
    viewport().setScene(bad);
    EXPECT_TRUE(waitUntil([&] { return banner().isVisible(); }));
    EXPECT_THAT(losses_, testing::IsEmpty());
    EXPECT_FALSE(failed_);
    Look look = window().document().look.current();
    look.quantity = Quantity::none;
    window().document().look.set(look);
    EXPECT_LT(test::mapFraction(picture()), 0.01);
}

}  // namespace
}  // namespace threefold::ui
