#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vulkan/vulkan.h>

#include <QDropEvent>
#include <QMimeData>
#include <QTest>
#include <QUrl>

#include "tests/ui/window_fixture.h"
#include "ui/files/export_commands.h"
#include "ui/input/input_panel.h"
#include "ui/shell/banner.h"
#include "ui/shell/status_line.h"
#include "ui/style/elided_label.h"

namespace threefold::ui {
namespace {

/// Makes the validation layers' listener report a message.
void submitMessage(const char* text) {
    const VkInstance instance = test::VulkanEnvironment::instance().handle();
    const auto submit = reinterpret_cast<PFN_vkSubmitDebugUtilsMessageEXT>(
        vkGetInstanceProcAddr(instance, "vkSubmitDebugUtilsMessageEXT"));
    ASSERT_NE(submit, nullptr);
    VkDebugUtilsMessengerCallbackDataEXT message{};
    message.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT;
    message.pMessage = text;
    submit(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
           VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, &message);
}

TEST(ValidationMessages, areThoseSinceTheLastCall) {
    submitMessage("a first message");
    EXPECT_THAT(test::VulkanEnvironment::takeMessages(),
                testing::ElementsAre(testing::HasSubstr("a first message")));
    EXPECT_THAT(test::VulkanEnvironment::takeMessages(), testing::IsEmpty());
}

class WindowFailures : public test::WindowTest {
  protected:
    void startLongRun() {
        network().stageMilliseconds = 100000;
        const int before = network().runs;
        window().opener().reconstruct();
        ASSERT_TRUE(waitUntil([&] { return network().runs > before; }));
    }
    std::string bannerText() { return window().banner().text().toStdString(); }
};

TEST_F(WindowFailures, keepsThePicture_whenASampleCannotBeOpened) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const QString title = window().windowTitle();
    const ResultRef shown = window().document().result.current();
    window().opener().openSample("/nonexistent/item");
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_THAT(bannerText(), testing::HasSubstr("/nonexistent/item"));
    EXPECT_EQ(window().windowTitle(), title);
    EXPECT_EQ(window().document().result.current(), shown);
    EXPECT_GT(test::mapFraction(picture()), 0.05);
    ASSERT_TRUE(waitUntil([&] { return window().statusLine().text().startsWith("Could not"); }));
    // The status line names the failure as long as the banner does.
    window().banner().hide();
    EXPECT_EQ(window().statusLine().text(), "");
    // The next successful request hides the message.
    ASSERT_TRUE(open(test::bundledSampleFolder("03001627")));
    EXPECT_FALSE(window().banner().isVisible());
}

TEST_F(WindowFailures, showsABanner_whenTheDeviceIsLost) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef first = window().document().result.current();
    network().lost = true;
    window().opener().reconstruct();
    ASSERT_TRUE(waitUntil([&] { return window().document().result.current() != first; }));
    EXPECT_TRUE(window().banner().isVisible());
    EXPECT_THAT(bannerText(), testing::HasSubstr("Fake · no threads: was lost; Spare"));
}

TEST_F(WindowFailures, explainsInTheStatusBar_whenTheMachinesGpuIsNotUsed) {
    const auto label = [&] { return window().findChild<ElidedLabel*>("unusedGpu"); };
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    ASSERT_NE(label(), nullptr);
    EXPECT_FALSE(label()->isVisible());
    useNetwork([] {
        NetworkDevices devices =
            oneDevice(std::make_unique<test::FakeBackend>(std::make_shared<test::FakeBehaviour>()));
        devices.unusedGpu =
            ErrorReport{"GPU", "", "no NVIDIA driver is installed", "Install NVIDIA's driver."};
        return devices;
    });
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    EXPECT_TRUE(label()->isVisible());
    EXPECT_EQ(label()->fullText(), "GPU not used: no NVIDIA driver is installed");
    EXPECT_EQ(label()->toolTip(), "GPU: no NVIDIA driver is installed. Install NVIDIA's driver.");
}

TEST_F(WindowFailures, returnsToTheShownSample_whenAViewIsBroken) {
    const threefold::test::TempFolder other;
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const SampleRef sample = window().document().result.current()->sample;
    window().opener().openSample(test::sampleWithBrokenView(other, 6), kPublishedViews);
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_THAT(bannerText(), testing::HasSubstr("06.png"));
    EXPECT_EQ(window().input().model().sample(), sample);
}

TEST_F(WindowFailures, keepsThePictureAndTheViews_whenCancelled) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    const ResultRef shown = window().document().result.current();
    const QImage before = picture();
    startLongRun();
    EXPECT_TRUE(document().run.state().isActive());
    window().cancel();
    ASSERT_TRUE(waitUntil([&] { return !document().run.state().isActive(); }));
    EXPECT_EQ(window().document().result.current(), shown);
    EXPECT_EQ(window().statusLine().text(), "Cancelled");
    EXPECT_EQ(window().input().model().selection().views(), shown->views);
    EXPECT_FALSE(window().banner().isVisible());
    EXPECT_EQ(test::difference(before, picture()), 0.0);
}

TEST_F(WindowFailures, cancelsByEscape) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    startLongRun();
    window().activateWindow();
    QTest::keyClick(&window(), Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return !document().run.state().isActive(); }));
}

TEST_F(WindowFailures, cancelsTheRunThenClosesTheMessage_byEscape) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().activateWindow();
    ASSERT_TRUE(waitUntil([&] { return window().isActiveWindow(); }));
    startLongRun();
    window().banner().show({"a file", "", "is missing", "Look for it."});
    window().document().pointed.setMarked(VertexId{});
    const auto& marked = window().document().pointed.marked();
    QTest::keyClick(&window(), Qt::Key_Escape);
    EXPECT_TRUE(waitUntil([&] { return !document().run.state().isActive(); }));
    EXPECT_TRUE(window().banner().isVisible() && marked);
    QTest::keyClick(&window(), Qt::Key_Escape);
    EXPECT_TRUE(!window().banner().isVisible() && marked);
    QTest::keyClick(&window(), Qt::Key_Escape);
    EXPECT_FALSE(marked);
}

TEST_F(WindowFailures, staysResponsive_whileTheNetworkRuns) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    startLongRun();
    const auto frames = viewport().framesPresented();
    drag({100, 150}, {200, 150});
    EXPECT_TRUE(waitUntil([&] { return viewport().framesPresented() > frames; }));
    EXPECT_TRUE(document().run.state().isActive());
}

TEST_F(WindowFailures, closesCleanly_whileTheNetworkRuns) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    startLongRun();
    window().close();
    EXPECT_TRUE(waitUntil([&] { return !window().isVisible(); }));
}

TEST_F(WindowFailures, namesTheRemedy_whenAFileCannotBeWritten) {
    ASSERT_TRUE(open(test::bundledSampleFolder()));
    window().exports().exportTo(
        {MeshFormat::obj, {{MeshId::result, "refined"}}, "/nonexistent/threefold"});
    ASSERT_TRUE(waitUntil([&] { return window().banner().isVisible(); }));
    EXPECT_THAT(bannerText(), testing::HasSubstr("/nonexistent/threefold"));
}

TEST_F(WindowFailures, showsABannerAndThePhotographs_whenTheTruthIsBroken) {
    const threefold::test::TempFolder other;
    const std::filesystem::path sampleFolder = other / "ShapeNetRendering" / "02691156" / "p0001";
    std::filesystem::create_directories(sampleFolder);
    std::filesystem::copy(test::bundledSampleFolder(), sampleFolder,
                          std::filesystem::copy_options::recursive);
    std::filesystem::create_directories(other / "gt");
    std::ofstream(other / "gt/02691156_p0001_00.dat") << "nonsense";
    ASSERT_TRUE(open(sampleFolder));
    EXPECT_TRUE(window().banner().isVisible());
    EXPECT_THAT(bannerText(), testing::HasSubstr("02691156_p0001_00.dat"));
    EXPECT_FALSE(window().document().result.current()->evaluation());
    EXPECT_EQ(document().shownQuantity(), Quantity::photographs);
    settle();
    document().look.change([](Look& look) { look.quantity = Quantity::none; });
    EXPECT_LT(test::mapFraction(picture()), 0.001);
}

TEST_F(WindowFailures, opensDroppedFiles_onThePanesAndBesideThem) {
    for (QObject* target : {static_cast<QObject*>(&window()), static_cast<QObject*>(&viewport())}) {
        const bool first = target == &window();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QString::fromStdString(
            test::bundledSampleFolder(first ? "02958343" : "04379243").string()))});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(target, &drop);
        const QString title = first ? "car · p0001 — views " : "table · p0001 — views ";
        EXPECT_TRUE(waitUntil([&] { return window().windowTitle().startsWith(title); }));
    }
}

}  // namespace
}  // namespace threefold::ui
