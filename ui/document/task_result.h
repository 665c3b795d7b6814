#pragma once

#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "engine/error.h"

namespace threefold::ui {

/// Result of background work: a value, a problem, or neither if the work threw Cancelled.
template <class Value>
struct TaskResult {
    std::optional<Value> value;
    std::optional<ErrorReport> problem;
};

/// Converts the exception being handled to a report; none for Cancelled. `subject`: file or device,
/// for exceptions that are no Error.
inline std::optional<ErrorReport> currentErrorReport(std::string_view subject = {}) {
    try {
        throw;
    } catch (const Cancelled&) {
        return std::nullopt;
    } catch (const Error& error) {
        return error.report();
    } catch (const std::bad_alloc&) {
        return ErrorReport{std::string(subject), "", "there is not enough memory",
                           "Close other programs, or choose something smaller."};
    } catch (const std::exception& error) {
        return ErrorReport{std::string(subject), "", error.what(), ""};
    } catch (...) {
        return ErrorReport{std::string(subject), "", "an unknown error", ""};
    }
}

}  // namespace threefold::ui
