#pragma once

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::test {

/// Expects one line on standard error that names the culprit and ends with a remedy.
inline void expectOneRefusal(const std::string& err, const std::string& culprit) {
    EXPECT_THAT(err, testing::StartsWith("threefold: "));
    EXPECT_THAT(err, testing::HasSubstr(culprit));
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_THAT(err, testing::ContainsRegex(R"(\. .+\.
$)")) << "no remedy";
}

}  // namespace threefold::test
