#include <gtest/gtest.h>

#include <QApplication>
#include <QStandardPaths>

#include "tests/ui/window_fixture.h"

// Listing the tests needs no display, running them does: the application is made in between.
int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
    QStandardPaths::setTestModeEnabled(true);
    const QApplication application(argc, argv);
    testing::AddGlobalTestEnvironment(new threefold::ui::test::VulkanEnvironment);
    return RUN_ALL_TESTS();
}
