#include "app/commands/commands.h"
#include "app/console/process.h"

int main(int argc, char** argv) {
    threefold::letWaitingThreadsSleep(argv);
    return threefold::runProgram(argc, argv);
}
