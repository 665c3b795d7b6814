#pragma once

namespace threefold {

/// Opens /dev/null where standard input, output or error was handed over closed: otherwise the next
/// file opened would take its number, and what is printed would end up in that file.
void keepStandardStreamsOpen();

}  // namespace threefold
