#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>

#include <QString>

#include "engine/evaluation/describe_run.h"
#include "engine/evaluation/record.h"
#include "engine/network/service/devices.h"

namespace threefold::ui {

/// What to evaluate, how, and where results go.
struct BatchPlan {
    QString name;                     ///< shown: the name of the list or folder
    std::filesystem::path source;     ///< for readEvaluationList()
    std::filesystem::path imageRoot;  ///< folder of the listed items
    std::filesystem::path dataSet;    ///< used if neither imageRoot nor the list names a folder
    std::filesystem::path truthRoot;  ///< empty: as findSample() does
    RunChoices choices;
    /// Folder for reports, journal and meshes, as `threefold eval` writes them; made if missing. An
    /// unfinished run in it is continued with its own choices. Empty: a temporary folder.
    std::filesystem::path output;
    bool overwrite = false;  ///< deletes the results of a run in `output`
    bool meshes = false;     ///< writes the meshes too
};

/// Describes the machine for reports, with a GPU only if the network uses it. Any thread.
using MachineOf = std::function<MachineDescription(const NetworkInfo&)>;

/// An evaluation found in an output folder.
struct FoundRun {
    std::size_t done = 0;
    std::size_t failed = 0;
    std::size_t total = 0;
    bool held = false;  ///< another process is writing there; nothing else is known
};

/// None if the folder has no journal or is missing. Reads files: not for the window's thread.
/// Throws FormatError (the file is no journal), IoError.
std::optional<FoundRun> findRun(const std::filesystem::path& folder);

/// A sentence or two for the dialog.
QString textOf(const FoundRun& run);

}  // namespace threefold::ui
