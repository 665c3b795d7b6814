#include "app/console/process.h"
#include "app/program.h"

int main(int argc, char** argv) {
    threefold::letWaitingThreadsSleep(argv);
    return threefold::runProgram(argc, argv);
}
