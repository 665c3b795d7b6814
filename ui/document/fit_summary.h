#pragma once

#include <QString>

#include "ui/document/result.h"

namespace threefold::ui {

/// What a fit came to, in a line: photographs, overlap before and after, time, and its notes, such
/// as whether the hull took the mesh's place; or why there is no fitted mesh.
QString fitSummary(const FitOutcome& outcome);

}  // namespace threefold::ui
