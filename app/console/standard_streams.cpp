#include "app/console/standard_streams.h"

#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

namespace threefold {

void keepStandardStreamsOpen() {
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        // Read-only even for the outputs: a result that cannot be printed must fail, not vanish.
        // The lowest free number is taken, which is the closed one.
        const int access = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
        if (open("/dev/null", access) < 0) return;
    }
}

}  // namespace threefold
