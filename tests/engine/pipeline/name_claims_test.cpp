#include "engine/pipeline/name_claims.h"

#include <thread>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(NameClaims, refuseAName_thatAFinishedSampleHas) {
    NameClaims names;
    names.add("chair", 3);
    names.expect(5);
    NameClaims::Turn turn(names, 5);
    EXPECT_EQ(turn.claim("chair"), 3U);
    EXPECT_EQ(turn.claim("table"), std::nullopt);
}

TEST(NameClaims, grantANameAgain_toItsOwnSample) {
    NameClaims names;
    names.add("chair", 3);
    names.expect(3);
    EXPECT_EQ(NameClaims::Turn(names, 3).claim("chair"), std::nullopt);
}

TEST(NameClaims, grantANameToTheEarlierSample_whenTheLaterOneAsksFirst) {
    NameClaims names;
    names.expect(0);
    names.expect(1);
    std::optional<std::size_t> later;
    std::thread second([&] { later = NameClaims::Turn(names, 1).claim("chair"); });
    EXPECT_EQ(NameClaims::Turn(names, 0).claim("chair"), std::nullopt);
    second.join();
    EXPECT_EQ(later, 0U);
}

TEST(NameClaims, letTheNextSampleClaim_whenATurnEndsWithoutAClaim) {
    NameClaims names;
    names.expect(0);
    names.expect(1);
    { const NameClaims::Turn unused(names, 0); }
    EXPECT_EQ(NameClaims::Turn(names, 1).claim("chair"), std::nullopt);
}

}  // namespace
}  // namespace threefold::test
