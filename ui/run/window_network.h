#pragma once

#include "ui/run/fit_runner.h"
#include "ui/run/live_update.h"
#include "ui/run/network_client.h"

namespace threefold::ui {

/// The window's network, and the features that start runs and fits on it.
struct WindowNetwork {
    NetworkClient& client;
    LiveUpdate& liveUpdate;
    FitRunner& fitRunner;
};

}  // namespace threefold::ui
