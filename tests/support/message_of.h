#pragma once

#include <exception>
#include <string>

#include <gtest/gtest.h>

namespace threefold::test {

/// Message of the exception `Expected` that `action` throws. Fails the test if `action` throws
/// another exception or none.
template <class Expected, class Action>
std::string messageOf(Action&& action) {
    try {
        action();
    } catch (const Expected& error) {
        return error.what();
    } catch (const std::exception& error) {
        ADD_FAILURE() << "another exception was thrown: " << error.what();
        return "";
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
}

}  // namespace threefold::test
