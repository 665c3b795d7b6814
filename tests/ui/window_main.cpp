#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "tests/ui/window_fixture.h"

namespace {

// Each warning of Qt fails the test: it is a defect of the window or of the test.
void failOnWarnings(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    // This warning is harmless: Qt shows a popup again before the X server has reported that the
    // popup is hidden.
    if (message.contains(QLatin1String("setNetWmStateOnUnmappedWindow"))) return;
    ADD_FAILURE() << "Qt: " << message.toStdString();
}

}  // namespace

// Tests can be listed without a display, so QApplication is made only for running them.
int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
    QStandardPaths::setTestModeEnabled(true);
    qInstallMessageHandler(failOnWarnings);
    const QApplication application(argc, argv);
    testing::AddGlobalTestEnvironment(new threefold::ui::test::VulkanEnvironment);
    return RUN_ALL_TESTS();
}
