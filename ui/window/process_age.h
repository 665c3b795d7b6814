#pragma once

namespace threefold::ui {

/// Milliseconds since this process was started, to the system's 10 ms; −1 where it cannot be told.
double processAgeMilliseconds();

}  // namespace threefold::ui
