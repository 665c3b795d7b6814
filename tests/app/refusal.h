#pragma once

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace threefold::test {

/// Expects one line on standard error that names `subject` (ErrorReport::subject) and
/// ends with a remedy.
inline void expectOneError(const std::string& err, const std::string& subject) {
    EXPECT_THAT(err, testing::StartsWith("threefold: "));
    EXPECT_THAT(err, testing::HasSubstr(subject));
    EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    EXPECT_THAT(err, testing::ContainsRegex(R"(\. .+\.
$)")) << "no remedy";
}

}  // namespace threefold::test
