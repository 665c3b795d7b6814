#pragma once

namespace threefold::ui {

/// Milliseconds since this process started, to 10 ms; −1 if unknown.
double processAgeMilliseconds();

}  // namespace threefold::ui
