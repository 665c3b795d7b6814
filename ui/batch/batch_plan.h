#pragma once

#include <filesystem>
#include <functional>

#include <QString>

#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/run_description.h"
#include "engine/network/backend.h"

namespace threefold::ui {

/// What a batch works through.
struct BatchPlan {
    QString name;                     ///< for people: the list's or the folder's name
    std::filesystem::path source;     ///< what readEvaluationList() takes
    std::filesystem::path imageRoot;  ///< where a list's names are looked for
    std::filesystem::path dataSet;    ///< likewise, where neither that nor the list itself says it
    std::filesystem::path truthRoot;  ///< empty: where findSample() looks by itself
    RunChoices choices;
    /// Where reports, journal and meshes go, as `threefold eval` writes them; made if missing. A
    /// run that it holds is gone on with, by the choices and with the meshes that it was begun
    /// with. Empty: a folder that goes with the plan.
    std::filesystem::path output;
    bool overwrite = false;  ///< forgets a run that is there
    bool meshes = false;     ///< writes them, too
};

/// What a backend computes on, for reports: the machine, with a GPU only where the backend is on
/// one. On the worker's thread.
using MachineOf = std::function<MachineDescription(const Backend&)>;

}  // namespace threefold::ui
