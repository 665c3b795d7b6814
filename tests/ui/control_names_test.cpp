#include "ui/style/control_names.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

std::string words(std::string_view text) {
    return withControlNames(text).toStdString();
}

TEST(ControlNames, keepText_whenItNamesNoSetting) {
    EXPECT_EQ(words("Give three views - no more. Or a folder--of photographs."),
              "Give three views - no more. Or a folder--of photographs.");
    EXPECT_EQ(words(""), "");
}

TEST(ControlNames, nameSettings_asTheWindowDoes) {
    EXPECT_EQ(words("Use float32 or bfloat16 (`precision`), or a GPU (`backend=cuda`)."),
              "Use float32 or bfloat16 (Reconstruct > Device), or a GPU (Reconstruct > Device).");
    EXPECT_EQ(words("It is a guess. Give it where it is known (`object_size`)."),
              "It is a guess. Give it where it is known (object_size in the camera file).");
    EXPECT_EQ(words("Check this machine (`doctor`)."),
              "Check this machine (threefold doctor in a terminal).");
}

TEST(ControlNames, leaveOutSettings_whichTheSentenceNamesAlready) {
    EXPECT_EQ(words("Choose another output folder (`output`), or start over (`overwrite`)."),
              "Choose another output folder, or start over.");
    EXPECT_EQ(words("Continue (`resume`) once it is back."), "Continue once it is back.");
    EXPECT_EQ(words("Convert to float32 (`dtype=f32`)."), "Convert to float32.");
}

}  // namespace
}  // namespace threefold::ui
