#include "ui/style/window_words.h"

#include <gtest/gtest.h>

namespace threefold::ui {
namespace {

std::string words(std::string_view text) {
    return windowWords(text).toStdString();
}

TEST(WindowWords, keepWhatNamesNoOption) {
    EXPECT_EQ(words("Give three views - no more. Or a folder--of photographs."),
              "Give three views - no more. Or a folder--of photographs.");
    EXPECT_EQ(words(""), "");
}

TEST(WindowWords, sayOptionsAsTheWindowNamesThem) {
    EXPECT_EQ(words("Wait for its end, or choose another folder with -o."),
              "Wait for its end, or choose another output folder.");
    EXPECT_EQ(words("Choose another folder on another file system with -o."),
              "Choose another output folder on another file system.");
    EXPECT_EQ(words("Choose another folder with -o, or begin anew with --overwrite."),
              "Choose another output folder, or start over.");
    EXPECT_EQ(words("Use --precision float32 or bfloat16, or --backend cuda where there is a GPU."),
              "Choose another one in Reconstruct > Device.");
    EXPECT_EQ(words("Reinstall Threefold, or use --backend cpu."),
              "Reinstall Threefold, or use the processor (Reconstruct > Device).");
    EXPECT_EQ(words("Go on with --resume once it is back."), "Continue the run once it is back.");
    EXPECT_EQ(words("It is a guess. Give it where it is known (object_size, --object-size)."),
              "It is a guess. Give it where it is known in the camera file.");
}

TEST(WindowWords, leaveOutSentencesTheyHaveNoWordsFor) {
    EXPECT_EQ(words("Check the file. Convert with --dtype f32."), "Check the file.");
    EXPECT_EQ(words("Give another template: `threefold convert --complete-template`."), "");
    EXPECT_EQ(words("Choose another -o."), "");
}

}  // namespace
}  // namespace threefold::ui
