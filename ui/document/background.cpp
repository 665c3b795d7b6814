#include "ui/document/background.h"

#include <exception>
#include <new>
#include <string>

namespace threefold::ui {

std::optional<ErrorReport> currentProblem(std::string_view subject) {
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
    }
}

}  // namespace threefold::ui
