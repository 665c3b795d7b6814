#pragma once

#include <QString>

#include "ui/batch/batch_columns.h"

namespace threefold::ui {

/// Heading of a column.
QString titleOf(const BatchColumn& column);
/// Explanation of a column's values.
QString tooltipOf(const BatchColumn& column);

/// Explains what a protocol compares, as the start of a sentence.
QString protocolMeaning(Protocol protocol);

}  // namespace threefold::ui
