#pragma once

#include "app/console/output.h"
#include "engine/photo_cameras/photo_cameras.h"

namespace threefold {

/// Problems to the log, and from the first second on progress to the line, which must outlive what
/// is returned: "12/400 photographs: cutting out".
PhotoReports reportsOn(ProgressLine& line);

}  // namespace threefold
