#include "app/program.h"

int main(int argc, char** argv) {
    return threefold::runProgram(argc, argv);
}
