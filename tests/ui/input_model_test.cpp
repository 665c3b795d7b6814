#include "ui/document/input_model.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/ui/test_sample.h"

namespace threefold::ui {
namespace {

class InputModelTest : public testing::Test {
  protected:
    InputModelTest() {
        model_.setInput(test::bundledSample(), ViewSelection({0, 6, 7}));
        QObject::connect(&model_, &InputModel::edited, &model_,
                         [this](const InputEdit& edit) { edits_.push_back(edit); });
        count(&InputModel::gestureEnded, gesturesEnded_);
        count(&InputModel::stateChanged, statesChanged_);
        count(&InputModel::sampleChanged, samplesChanged_);
    }
    template <class Signal>
    void count(Signal signal, int& signals) {
        QObject::connect(&model_, signal, &model_, [&signals] { ++signals; });
    }

    InputModel model_;
    std::vector<InputEdit> edits_;
    int gesturesEnded_ = 0, statesChanged_ = 0, samplesChanged_ = 0;
};

TEST_F(InputModelTest, signalsAnEdit_whenAViewIsChosen) {
    model_.putIntoSelectedSlot(3);
    EXPECT_EQ(model_.selection().views(), (std::vector<int>{3, 6, 7}));
    EXPECT_EQ(model_.selection().selectedSlot(), 1U);
    ASSERT_EQ(edits_.size(), 1U);
    EXPECT_EQ(edits_[0].before.selection.views(), (std::vector<int>{0, 6, 7}));
    EXPECT_EQ(edits_[0].gesture, 0U);
    EXPECT_FALSE(edits_[0].live);
}

TEST_F(InputModelTest, knowsWhichCamerasAreStillGuessed) {
    EXPECT_FALSE(model_.isCameraGuessed(3));
    model_.setCamerasGuessed(model_.sample());
    EXPECT_TRUE(model_.isCameraGuessed(3));
    model_.setCamera(3, {.azimuth = 1, .elevation = 2, .distance = 0.8});
    EXPECT_FALSE(model_.isCameraGuessed(3));
    EXPECT_TRUE(model_.isCameraGuessed(4));
}

TEST_F(InputModelTest, staysAsItIs_whenAnArgumentIsInvalid) {
    model_.putIntoSelectedSlot(-1);
    model_.putIntoSelectedSlot(24);
    model_.putInto(8, 3);
    model_.removeSlot(8);
    model_.setViews({1}, "one view");
    model_.setCamera(24, {});
    model_.setCameras({{}, {}});
    EXPECT_TRUE(edits_.empty());
    EXPECT_EQ(statesChanged_, 0);
}

TEST_F(InputModelTest, givesTheEditsOfAGestureOneNumber) {
    model_.beginGesture();
    model_.scrubSelectedSlot(3);
    model_.scrubSelectedSlot(4);
    EXPECT_EQ(gesturesEnded_, 0);
    model_.endGesture();
    ASSERT_EQ(edits_.size(), 2U);
    EXPECT_NE(edits_[0].gesture, 0U);
    EXPECT_EQ(edits_[0].gesture, edits_[1].gesture);
    EXPECT_TRUE(edits_[0].live && edits_[1].live);
    EXPECT_EQ(gesturesEnded_, 1);
    model_.beginGesture();
    model_.endGesture();  // a gesture without an edit signals no end
    EXPECT_EQ(gesturesEnded_, 1);
}

TEST_F(InputModelTest, turnsACamera_upToTheLargestElevation) {
    const double azimuth = model_.sample()->cameraRows[0].azimuth;
    model_.beginGesture();
    model_.orbitCamera(0, 10, 1000);
    EXPECT_NEAR(model_.sample()->cameraRows[0].azimuth, azimuth + 10, 1e-9);
    EXPECT_EQ(model_.sample()->cameraRows[0].elevation, 89);
    EXPECT_EQ(edits_.size(), 1U);
}

TEST_F(InputModelTest, turnsACamera_fromAnAzimuthOfSeveralTurns) {
    model_.beginGesture();
    CameraRow row = model_.sample()->cameraRows[0];
    row.azimuth = -1000;
    model_.setCamera(0, row);
    model_.orbitCamera(0, 10, 0);
    EXPECT_NEAR(model_.sample()->cameraRows[0].azimuth, 90, 1e-9);
}

TEST_F(InputModelTest, signalsAnotherSample_onlyWhenItsImagesDiffer) {
    model_.setInput(test::bundledSample(), ViewSelection({1, 2}));
    EXPECT_EQ(samplesChanged_, 0);
    EXPECT_EQ(statesChanged_, 1);
    model_.setInput(nullptr, ViewSelection());
    EXPECT_EQ(samplesChanged_, 1);
    EXPECT_TRUE(edits_.empty());
}

TEST_F(InputModelTest, signalsNoEdit_whenAStateIsRestored) {
    int restored = 0;
    count(&InputModel::stateRestored, restored);
    const InputState before = model_.state();
    model_.putIntoSelectedSlot(3);
    model_.restore(before);
    EXPECT_EQ(model_.selection().views(), (std::vector<int>{0, 6, 7}));
    EXPECT_EQ(edits_.size(), 1U);
    EXPECT_EQ(restored, 1);
}

TEST_F(InputModelTest, signalsNoEndOfTheGesture_whenAStateIsRestored) {
    const InputState before = model_.state();
    model_.beginGesture();
    model_.scrubSelectedSlot(3);
    model_.restore(before);
    EXPECT_EQ(gesturesEnded_, 0);
    model_.endGesture();
    EXPECT_EQ(gesturesEnded_, 0);
}

}  // namespace
}  // namespace threefold::ui
