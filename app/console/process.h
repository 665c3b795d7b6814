#pragma once

namespace threefold {

/// Opens /dev/null where standard input, output or error is closed at the start: otherwise the next
/// file opened would take its number and receive the output.
void keepStandardStreamsOpen();

/// Lets waiting threads of the OpenMP pool sleep after some microseconds; by default they keep a
/// core busy for milliseconds that another program, or a software Vulkan driver, may need. OpenMP
/// reads this setting from the environment before main() and has no call for it, so the program
/// restarts itself with it. Returns where that is done or impossible, or the user chose a setting.
///
/// Measured on 2 cores beside three busy programs: a reconstruction takes 1.30 s instead of 1.48;
/// alone the time stays the same. The restart costs 10 ms.
void letWaitingThreadsSleep(char** argv);

/// The most main memory this process has held so far, in MB (10^6 bytes).
double peakMemoryMegabytes();

/// The main memory that it holds now; 0 if unknown.
double memoryMegabytes();

}  // namespace threefold
