#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "tests/ui/window_fixture.h"

namespace {

// Whatever Qt complains about is a defect, in the window or in its test.
void failOnWarnings(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    // Qt shows a popup again before the X server has reported it hidden; no harm is done.
    if (message.contains(QLatin1String("setNetWmStateOnUnmappedWindow"))) return;
    ADD_FAILURE() << "Qt: " << message.toStdString();
}

}  // namespace

// Listing the tests needs no display, running them does: the application is made in between.
int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
    QStandardPaths::setTestModeEnabled(true);
    qInstallMessageHandler(failOnWarnings);
    const QApplication application(argc, argv);
    testing::AddGlobalTestEnvironment(new threefold::ui::test::VulkanEnvironment);
    return RUN_ALL_TESTS();
}
