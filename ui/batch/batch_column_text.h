#pragma once

#include <QString>

#include "ui/batch/batch_columns.h"

namespace threefold::ui {

/// Heading of a column.
QString titleOf(const BatchColumn& column);
/// Explanation of a column's values.
QString tooltipOf(const BatchColumn& column);

/// Points that a protocol compares, as text without a full stop.
QString protocolMeaning(Protocol protocol);

}  // namespace threefold::ui
