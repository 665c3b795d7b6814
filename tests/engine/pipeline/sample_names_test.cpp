#include "engine/pipeline/sample_names.h"

#include <thread>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(SampleNames, refuseAName_thatAFinishedSampleHas) {
    SampleNames names;
    names.add("chair", 3);
    names.expect(5);
    SampleNames::Turn turn(names, 5);
    EXPECT_EQ(turn.claim("chair"), 3U);
    EXPECT_EQ(turn.claim("table"), std::nullopt);
}

TEST(SampleNames, grantANameAgain_toItsOwnSample) {
    SampleNames names;
    names.add("chair", 3);
    names.expect(3);
    EXPECT_EQ(SampleNames::Turn(names, 3).claim("chair"), std::nullopt);
}

TEST(SampleNames, grantANameToTheEarlierSample_whenTheLaterOneAsksFirst) {
    SampleNames names;
    names.expect(0);
    names.expect(1);
    std::optional<std::size_t> later;
    std::thread second([&] { later = SampleNames::Turn(names, 1).claim("chair"); });
    EXPECT_EQ(SampleNames::Turn(names, 0).claim("chair"), std::nullopt);
    second.join();
    EXPECT_EQ(later, 0U);
}

TEST(SampleNames, letTheNextSampleClaim_whenATurnEndsWithoutAClaim) {
    SampleNames names;
    names.expect(0);
    names.expect(1);
    { const SampleNames::Turn unused(names, 0); }
    EXPECT_EQ(SampleNames::Turn(names, 1).claim("chair"), std::nullopt);
}

}  // namespace
}  // namespace threefold::test
