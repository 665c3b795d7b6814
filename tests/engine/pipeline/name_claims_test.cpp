#include "engine/pipeline/name_claims.h"

#include <thread>

#include <gtest/gtest.h>

namespace threefold::test {
namespace {

TEST(NameClaims, refuseAName_thatAFinishedSampleHas) {
    NameClaims names;
    names.add("chair", 3);
    names.expect(5);
    NameClaim claim(names, 5);
    EXPECT_EQ(claim.take("chair"), 3U);
    EXPECT_EQ(claim.take("table"), std::nullopt);
}

TEST(NameClaims, grantANameAgain_toItsOwnSample) {
    NameClaims names;
    names.add("chair", 3);
    names.expect(3);
    EXPECT_EQ(NameClaim(names, 3).take("chair"), std::nullopt);
}

TEST(NameClaims, grantANameToTheEarlierSample_whenTheLaterOneAsksFirst) {
    NameClaims names;
    names.expect(0);
    names.expect(1);
    std::optional<std::size_t> later;
    std::thread second([&] { later = NameClaim(names, 1).take("chair"); });
    EXPECT_EQ(NameClaim(names, 0).take("chair"), std::nullopt);
    second.join();
    EXPECT_EQ(later, 0U);
}

TEST(NameClaims, letTheNextSampleClaim_whenTheOneBeforeTakesNoName) {
    NameClaims names;
    names.expect(0);
    names.expect(1);
    { const NameClaim unused(names, 0); }
    EXPECT_EQ(NameClaim(names, 1).take("chair"), std::nullopt);
}

}  // namespace
}  // namespace threefold::test
