#pragma once

namespace threefold {

/// Opens /dev/null where standard input, output or error is closed at the start: otherwise the next
/// file opened would take its number and receive what is printed.
void keepStandardStreamsOpen();

}  // namespace threefold
