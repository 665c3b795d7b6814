#pragma once

#include "app/console/output.h"
#include "engine/photo_cameras/photo_reports.h"

namespace threefold {

/// Reports problems to the log and, after the first second, progress to `line`: "12/400
/// photographs: cutting out". `line` must outlive the result.
PhotoReports reportsOn(ProgressLine& line);

}  // namespace threefold
