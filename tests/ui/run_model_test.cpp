#include "ui/document/run_model.h"

#include <gtest/gtest.h>

#include <QObject>

#include "ui/document/document.h"

namespace threefold::ui {
namespace {

TEST(RunModel, endsTheRun_beforeTheResultIsSet) {
    Document document;
    document.run.beginReconstruction(ReconstructionRun());
    bool isActive = true;
    QObject::connect(&document.result, &ResultModel::changed,
                     [&] { isActive = document.run.state().isActive(); });
    document.run.finish(std::make_shared<Result>());
    EXPECT_FALSE(isActive);
}

TEST(RunModel, keepsTheReconstruction_whenAFitEnds) {
    Document document;
    document.run.beginReconstruction(ReconstructionRun());
    int signalled = 0;
    QObject::connect(&document.run, &RunModel::advanced, [&] { ++signalled; });
    document.run.endFit();
    EXPECT_TRUE(document.run.state().isReconstructing());
    EXPECT_EQ(signalled, 0);
}

}  // namespace
}  // namespace threefold::ui
